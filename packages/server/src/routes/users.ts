import {
  addPasskey,
  createAccount,
  createUser,
  endOtherSessions,
  endSession,
  getOwnUser,
  getUser,
  listSessions,
  listUsers,
  newPasskeyOptions,
  removePasskey,
  removeUser,
  resetUser,
  setPassword,
  updateUser,
} from '@commerce/core';
import { created, item, list, nothing, record, shownOnce } from './answers.ts';
import { type Route, route } from './router.ts';

/** Users of the dashboard, for the people who manage them. */
export const userRoutes: readonly Route[] = [
  route('GET', '/users', 'user.read', {
    name: 'listUsers',
    summary: 'List the users of the dashboard, oldest first',
    query: 'Window',
    answer: list('User'),
    run: listUsers,
  }),
  route('POST', '/users', 'user.write', {
    name: 'createUser',
    summary: 'Invite a user',
    description:
      'The answer has a code that signs in once, within 24 hours: send the person `/dashboard#code=<code>`. Nobody can give a role with a scope that they lack.',
    errors: ['conflict'],
    body: 'UserInput',
    answer: shownOnce(created('Invitation'), 'code'),
    run: createUser,
  }),
  route('GET', '/users/{id}', 'user.read', {
    name: 'getUser',
    summary: 'Get a user of the dashboard',
    answer: item('User'),
    run: getUser,
  }),
  route('PUT', '/users/{id}', 'user.write', {
    name: 'updateUser',
    summary: 'Change a user: name, e-mail, role, or whether the user can sign in',
    description: 'Takes effect within a second in every process. The last active owner keeps the role.',
    errors: ['conflict'],
    body: 'UserChanges',
    answer: item('User'),
    run: updateUser,
  }),
  route('DELETE', '/users/{id}', 'user.delete', {
    name: 'removeUser',
    summary: 'Remove a user, and end the sessions',
    errors: ['conflict'],
    answer: nothing,
    run: removeUser,
  }),
  route('POST', '/users/{id}/reset', 'user.write', {
    name: 'resetUser',
    summary: 'Let a user set a new password by a link',
    description:
      'Ends the sessions of the user. The present password and passkeys no longer sign in to this store. The code of the answer signs in once, within 24 hours.',
    errors: ['conflict'],
    answer: shownOnce(record('SignInLink', 201), 'code'),
    run: resetUser,
  }),
];

/** The account of the user who sends the request. A key has none. */
export const accountRoutes: readonly Route[] = [
  route('GET', '/users/me', null, {
    forUsers: true,
    name: 'getOwnUser',
    summary: 'Get the user who sends the request',
    answer: record('OwnUser'),
    run: getOwnUser,
  }),
  route('POST', '/users/me', null, {
    forUsers: true,
    name: 'createAccount',
    summary: 'Make an owner of the person who signed in by a link of the store',
    description: 'Only a session of a link that belongs to no user, such as the link of a new store, can do this.',
    errors: ['conflict'],
    body: 'AccountInput',
    answer: record('OwnUser', 201),
    run: createAccount,
  }),
  route('PUT', '/users/me/password', null, {
    forUsers: true,
    name: 'setPassword',
    summary: 'Set the password of the user who sends the request',
    description: 'Ends all other sessions of the person.',
    errors: ['conflict'],
    body: 'PasswordInput',
    answer: record('OwnUser'),
    run: setPassword,
  }),
  route('POST', '/users/me/passkey-options', null, {
    forUsers: true,
    name: 'newPasskeyOptions',
    summary: 'Get what a browser needs to create a passkey',
    errors: ['conflict'],
    answer: record('PasskeyOptions'),
    run: newPasskeyOptions,
  }),
  route('POST', '/users/me/passkeys', null, {
    forUsers: true,
    name: 'addPasskey',
    summary: 'Add a passkey to the user who sends the request',
    errors: ['conflict'],
    body: 'PasskeyInput',
    answer: record('Passkey', 201),
    run: addPasskey,
  }),
  route('DELETE', '/users/me/passkeys/{id}', null, {
    forUsers: true,
    name: 'removePasskey',
    summary: 'Remove a passkey of the user who sends the request',
    answer: nothing,
    run: removePasskey,
  }),
  route('GET', '/users/me/sessions', null, {
    forUsers: true,
    name: 'listSessions',
    summary: 'List the sessions of the user who sends the request, last used first',
    answer: list('Session'),
    run: listSessions,
  }),
  route('DELETE', '/users/me/sessions', null, {
    forUsers: true,
    name: 'endOtherSessions',
    summary: 'End all sessions of the user, except for the one of the request',
    answer: nothing,
    run: endOtherSessions,
  }),
  route('DELETE', '/users/me/sessions/{id}', null, {
    forUsers: true,
    name: 'endSession',
    summary: 'End a session of the user who sends the request',
    answer: nothing,
    run: endSession,
  }),
];
