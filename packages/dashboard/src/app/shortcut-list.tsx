import { setSingleKeys, shortcuts, singleKeys } from '../browser/shortcuts.ts';
import { Dialog } from '../kit/dialog.tsx';
import { t } from '../words/words.ts';

/** The current shortcuts. */
export function ShortcutList({ onClose }: { onClose(): void }) {
  const seen = new Set<string>();
  const shown = shortcuts.value.filter(({ keys }) => !seen.has(keys) && seen.add(keys));
  return (
    <Dialog title={t.app.shortcuts.title} onClose={onClose}>
      <dl class="shortcuts">
        {shown.map(({ keys, label }) => (
          <div key={keys}>
            <dt>
              {keys.split(/[ +]/).map((key) => (
                <kbd key={key}>
                  {key === 'mod'
                    ? /Mac|iP/.test(navigator.platform)
                      ? '⌘'
                      : t.app.shortcuts.control
                    : key === 'Escape'
                      ? t.app.shortcuts.escape
                      : key}
                </kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
        />
        {t.app.shortcuts.singleKeys}
      </label>
    </Dialog>
  );
}
