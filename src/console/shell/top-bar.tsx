import { useLocation, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { searchId } from './keys.tsx';
import { PeriodPicker } from './period.tsx';
import { Profile } from './profile.tsx';

/** The pages whose numbers depend on the period. */
const periodPages = ['/', '/deliveries', '/funnels'];

/** Draws the top bar: search, period, profile. */
export function TopBar() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <header className="top-bar">
      <Search />
      <div className="top-bar-end">
        {periodPages.includes(path) && <PeriodPicker hasComparison={path === '/'} />}
        <Profile />
      </div>
    </header>
  );
}

/** Searches leads. The list of leads reads `q` from the address. */
function Search() {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  /** Where Escape leads back to. */
  const from = useRef<HTMLElement>(null);
  return (
    <search className="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const q = text.trim();
          if (q === '') return;
          setText('');
          void navigate({ to: '/leads', search: { q } as never });
        }}
      >
        <Icon name="search" />
        <label className="visually-hidden" htmlFor={searchId}>
          Search leads by phone, e-mail, last name or id
        </label>
        <input
          id={searchId}
          type="search"
          autoComplete="off"
          aria-keyshortcuts="/"
          spellCheck={false}
          placeholder="Phone, e-mail, last name or lead id"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onFocus={({ relatedTarget }) => {
            from.current = relatedTarget as HTMLElement | null;
          }}
          onKeyDown={({ key, currentTarget }) => {
            if (key !== 'Escape') return;
            currentTarget.blur();
            from.current?.focus();
          }}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}
