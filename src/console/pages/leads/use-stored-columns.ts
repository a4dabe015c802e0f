import { useState } from 'react';
import { defaultColumns } from './columns.tsx';

const KEY = 'console.leads.columns';

/** Returns the ids of the chosen columns, and what chooses others. This browser remembers them. */
export function useStoredColumns() {
  const [ids, setIds] = useState<readonly string[]>(read);
  const choose = (next: readonly string[]) => {
    setIds(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Without storage they last until the page is left.
    }
  };
  return [ids, choose] as const;
}

function read(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (Array.isArray(stored)) return stored.filter((id) => typeof id === 'string');
  } catch {
    // No storage, or text of another version.
  }
  return defaultColumns;
}
