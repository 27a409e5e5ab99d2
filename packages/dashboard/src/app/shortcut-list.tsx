import { setSingleKeys, shortcuts, singleKeys } from '../browser/shortcuts.ts';
import { Dialog } from '../kit/dialog.tsx';

/** The current shortcuts. */
export function ShortcutList({ onClose }: { onClose(): void }) {
  const seen = new Set<string>();
  const shown = shortcuts.value.filter(({ keys }) => !seen.has(keys) && seen.add(keys));
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {shown.map(({ keys, label }) => (
          <div key={keys}>
            <dt>
              {keys.split(/[ +]/).map((key) => (
                <kbd key={key}>
                  {key === 'mod' ? (/Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl') : key === 'Escape' ? 'Esc' : key}
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
        Single keys work; switch this off if they interfere, for example with voice input
      </label>
    </Dialog>
  );
}
