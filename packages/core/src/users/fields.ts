import * as z from 'zod';
import { type Role, roleNames, scopes } from '../engine/scopes.ts';
import { id, once, optionalTime, optionalWords, time, words, yesOrNo } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { noted } from '../fields/notes.ts';
import { emailAddress, fields, flag, oneOf, requiredText, secretOf, text } from '../kernel/parse.ts';
import { userStatuses } from '../storage/tables/users.ts';
import { maxPassword, minPassword } from './password.ts';

const emailRule = emailAddress.meta({ format: 'email' });

/** An e-mail as it is compared. */
export function emailKey(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

const exampleUser = '0193d3f9-3010-79f1-8d34-e86b7925c85b';

const passkeyFields = () => ({
  id: id('The id of the passkey.', '0193d3f9-bb78-7a02-9e45-f97c8a36d96c'),
  name: words('The name that its owner gave it.', 'Laptop'),
  createdAt: time('Time of creation, UTC.'),
  lastUsedAt: optionalTime('Time of the last sign-in with it; null before the first.'),
});

export const passkeyAnswer = once(() =>
  z.object(passkeyFields()).meta({ description: 'A passkey, which signs in without a password.' }),
);
export type Passkey = z.output<ReturnType<typeof passkeyAnswer>>;

const roleWords =
  '`owner` has every scope. `manager` has all but those of users and API keys, and cannot change settings. `fulfilment` sends orders and counts stock. `reader` only reads.';

const userFields = () => ({
  id: id('The id, a UUIDv7.', exampleUser),
  email: words('The address to sign in with, unique in the store.', 'ada@shop.test').meta({ format: 'email' }),
  name: words('The name as others read it; can be empty.', 'Ada Lovelace'),
  role: z.enum(roleNames).meta({ description: roleWords, examples: ['manager'] }),
  status: z.enum(userStatuses).meta({
    description: '`invited` until the link of the invitation is used. `disabled` cannot sign in.',
    examples: ['active'],
  }),
  passkeys: z.array(passkeyAnswer()).meta({ description: 'Passkeys of the person, newest first.' }),
  lastSignInAt: optionalTime('Time of the last sign-in; null before the first.'),
  createdAt: time('Time of creation, UTC.'),
  updatedAt: time('Time of the last change, UTC.'),
});

export const userAnswer = once(() => z.object(userFields()).meta({ description: 'A user of the dashboard.' }));
/** A user of the dashboard of a store. */
export type User = z.output<ReturnType<typeof userAnswer>>;

const linkFields = () => ({
  code: words(
    'Signs in once: open `/dashboard#code=<code>`. Readable only in this answer.',
    `${exampleIds.store}.hN2x0vJc5Yq3TzR8mK1pW7sL4dF9gB6aEoUiXyQwZtA`,
  ),
  expiresAt: time('Time from which the code is refused, 24 hours later.'),
});

export const signInLinkAnswer = once(() =>
  z.object(linkFields()).meta({ description: 'A code that signs in a user once.' }),
);
/** Signs in a user once. */
export type SignInLink = z.output<ReturnType<typeof signInLinkAnswer>>;

export const invitationAnswer = once(() =>
  z.object({ ...userFields(), ...linkFields() }).meta({ description: 'A new user, with the code of the invitation.' }),
);
/** A new user, with the code of the invitation. */
export type Invitation = z.output<ReturnType<typeof invitationAnswer>>;

export const ownUserAnswer = once(() =>
  z
    .object({
      ...userFields(),
      hasPassword: yesOrNo('Whether the person has a password.', true),
      stores: z
        .array(z.object({ id: id('The id of the store.', exampleIds.store), name: words('Its name.', 'Tea & Co') }))
        .meta({ description: 'Stores that the same person can sign in to.' }),
    })
    .meta({ description: 'The user who sends the request.' }),
);
/** The user who sends the request. */
export type OwnUser = z.output<ReturnType<typeof ownUserAnswer>>;

export const sessionAnswer = once(() =>
  z
    .object({
      id: id('The id of the session.', '0193d3fa-46e0-7b13-8f56-0a8d9b47ea7d'),
      agent: words('Browser and system, as the browser names them.', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/152.0'),
      address: optionalWords('The network address of the sign-in, if it is known.', '203.0.113.7'),
      isCurrent: yesOrNo('Whether it is the session of this request.', true),
      isKept: yesOrNo('Whether it outlives the browser.', false),
      lastUsedAt: time('Time of the last use, written once a minute.'),
      expiresAt: time('Time from which it is refused.'),
      createdAt: time('Time of the sign-in.'),
    })
    .meta({ description: 'A session of a user, from a sign-in to its end.' }),
);
/** A session of a user. */
export type Session = z.output<ReturnType<typeof sessionAnswer>>;

export const passkeyOptionsAnswer = once(() =>
  z.record(z.string(), z.unknown()).meta({
    description:
      'The argument of `navigator.credentials.create`, for `PublicKeyCredential.parseCreationOptionsFromJSON`.',
    examples: [{ challenge: 'rI1a1k4bY8', rp: { id: 'shop.example', name: 'Tea & Co' } }],
  }),
);

export const UserFields = noted(
  fields({
    /** The address to sign in with, unique in the store. */
    email: emailRule.describe('The address to sign in with, unique in the store.'),
    /** The name as others read it. */
    name: text(255).default('').describe('The name as others read it.'),
    /** `manager` by default. Limited to roles whose scopes the caller holds. */
    role: oneOf(roleNames)
      .default('manager' satisfies Role)
      .describe('`manager` by default. Limited to roles whose scopes the caller holds.'),
  }),
  {
    description: 'A new user, who is invited.',
    like: 'User',
    example: { email: 'ada@shop.test', name: 'Ada Lovelace', role: 'manager' },
  },
);
export type UserInput = z.input<typeof UserFields>;

export const UserChangeFields = noted(
  fields({
    /** The address to sign in with, unique in the store. */
    email: emailRule.optional().describe('The address to sign in with, unique in the store.'),
    /** The name as others read it. */
    name: text(255).optional().describe('The name as others read it.'),
    /** Limited to roles whose scopes the caller holds. The last active owner keeps the role. */
    role: oneOf(roleNames)
      .optional()
      .describe('Limited to roles whose scopes the caller holds. The last active owner keeps the role.'),
    /** `disabled` ends all sessions of the user; `active` lets a disabled user sign in again. */
    status: oneOf(['active', 'disabled'])
      .optional()
      .describe('`disabled` ends all sessions of the user; `active` lets a disabled user sign in again.'),
  }),
  { description: 'Changes of a user.', like: 'User', example: { role: 'reader' } },
);
export type UserChanges = z.input<typeof UserChangeFields>;

const password = secretOf(text(1000, 1));
const passwordWords = `${minPassword} to ${maxPassword} characters; neither a common password nor the e-mail.`;

export const AccountFields = noted(
  fields({
    /** The address to sign in with, unique in the store. */
    email: emailRule.describe('The address to sign in with, unique in the store.'),
    /** The name as others read it. */
    name: text(255).default('').describe('The name as others read it.'),
    /** 12 to 128 characters; neither a common password nor the e-mail. Without one, the user adds a passkey later. */
    password: password.optional().describe(`${passwordWords} Without one, the user adds a passkey later.`),
  }),
  {
    description: 'The account of a person who has signed in by a link of the store.',
    like: 'User',
    example: { email: 'ada@shop.test', name: 'Ada Lovelace', password: 'a kettle and nine cups' },
  },
);
export type AccountInput = z.input<typeof AccountFields>;

export const PasswordFields = noted(
  fields({
    /** 12 to 128 characters; neither a common password nor the e-mail. */
    password: password.describe(passwordWords),
    /** The present password; required if there is one. */
    current: password.optional().describe('The present password; required if there is one.'),
  }),
  { description: 'A new password.', example: { password: 'a kettle and nine cups', current: 'seven cups of tea' } },
);
export type PasswordInput = z.input<typeof PasswordFields>;

/** What a browser answers for a passkey: checked by the library that reads it. */
const credential = z.record(z.string(), z.unknown(), 'must be the answer of `navigator.credentials`');

export const PasskeyFields = noted(
  fields({
    /** The owner's name for it, such as the device. */
    name: requiredText(100).describe("The owner's name for it, such as the device."),
    /** The answer of `navigator.credentials.create`, as its `toJSON` writes it. */
    response: credential.describe('The answer of `navigator.credentials.create`, as its `toJSON` writes it.'),
  }),
  { description: 'A new passkey.', example: { name: 'Laptop', response: { id: 'AVdH3x', type: 'public-key' } } },
);
export type PasskeyInput = z.input<typeof PasskeyFields>;

export const SignInFields = noted(
  fields({
    /** The code from a link to the dashboard. */
    code: secretOf(text(200, 1)).optional().describe('The code from a link to the dashboard.'),
    /** The e-mail of a user. */
    email: text(320, 1).optional().describe('The e-mail of a user.'),
    /** The password of the user. */
    password: password.optional().describe('The password of the user.'),
    /** The answer of `navigator.credentials.get`, as its `toJSON` writes it. */
    passkey: credential.optional().describe('The answer of `navigator.credentials.get`, as its `toJSON` writes it.'),
    /** The store to sign in to, for a user of several. */
    storeId: text(64, 1).optional().describe('The store to sign in to, for a user of several.'),
    /** Whether the session outlives the browser, for 30 days. */
    keep: flag.default(false).describe('Whether the session outlives the browser, for 30 days.'),
  }),
  {
    description: 'A code, an e-mail with its password, or the answer of a passkey.',
    example: { email: 'ada@shop.test', password: 'a kettle and nine cups', keep: true },
  },
);
export type SignInInput = z.input<typeof SignInFields>;

export const whoAmIUser = () =>
  z
    .object({
      id: id('The id of the user.', exampleUser).nullable(),
      email: words('The address of the user.', 'ada@shop.test').nullable(),
      name: words('The name of the user.', 'Ada Lovelace').nullable(),
      role: z.enum(roleNames).meta({ description: 'The role of the user.', examples: ['owner'] }),
      canSignIn: yesOrNo('Whether the user has a password or a passkey, and needs no link to sign in again.', true),
      scopes: z.array(z.enum(scopes)).meta({ description: 'The scopes of the role.', examples: [['product.read']] }),
    })
    .nullable()
    .meta({
      description:
        'The user who has signed in; null for a key. Its `id` is null in the session of a link that belongs to no user.',
    });
