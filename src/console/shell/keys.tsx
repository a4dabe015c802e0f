import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { places } from './places.ts';

/** The id of the search field. */
export const searchId = 'search';
/** A letter after `g` counts for this long. */
const goMs = 1500;

/** The keys that work on every page, for the list. */
const keys: readonly (readonly [keys: readonly string[], text: string])[] = [
  [['/'], 'Search leads'],
  [['j', 'k'], 'Next and previous row'],
  [['Enter'], 'Open the row'],
  [['?'], 'Show this list'],
  [['Esc'], 'Close what is open'],
];

/** Tells whether a key belongs to a field, or to a menu or dialog that is open. */
function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]',
    ) !== null
  );
}

/** Moves the focus to another row of the page. */
function moveRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('#main [data-row]')];
  const now = rows.findIndex((row) => row.contains(document.activeElement));
  const next = now === -1 ? rows[0] : rows[now + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}

/** Listens for the console's keys, never while the operator types, and lists them. */
export function Keys() {
  const navigate = useNavigate();
  const [isListShown, setIsListShown] = useState(false);
  useEffect(() => {
    let goUntil = 0;
    const go = (key: string) => {
      const place = places.find((each) => each.key === key);
      if (place) void navigate({ to: place.path });
      return place !== undefined;
    };
    const act = (key: string, target: EventTarget | null): boolean => {
      if (goUntil > Date.now()) {
        goUntil = 0;
        return go(key);
      }
      if (key === 'g') goUntil = Date.now() + goMs;
      else if (key === '/') document.getElementById(searchId)?.focus();
      else if (key === '?') setIsListShown(true);
      else if (key === 'j') moveRow(1);
      else if (key === 'k') moveRow(-1);
      else if (key === 'Enter') return openRow(target);
      else return false;
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, altKey, defaultPrevented, target, key } = event;
      if (ctrlKey || metaKey || altKey || defaultPrevented || isTaken(target)) return;
      if (act(key, target)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate]);
  return (
    <Dialog title="Keys" isOpen={isListShown} onClose={() => setIsListShown(false)}>
      <KeyList />
    </Dialog>
  );
}

/** Follows the first link of a row that does not open itself. */
function openRow(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target.dataset.row === undefined) return false;
  target.querySelector('a')?.click();
  return true;
}

function KeyList() {
  return (
    <div className="keys">
      <dl>
        {keys.map(([each, text]) => (
          <div key={text}>
            <dt>
              {each.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <dl>
        {places.map(({ key, label }) => (
          <div key={key}>
            <dt>
              <kbd>g</kbd>
              <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
