/**
 * What is typed into the contact form, kept in this tab until it is sent, so that a reload or the page in the
 * other language loses nothing (docs/specification.md#browser-storage).
 */
type Field = Pick<HTMLInputElement, 'name' | 'value'>;

const KEY = 'contact-draft';

export function keepDraft(fields: readonly Field[]): void {
  try {
    sessionStorage.setItem(
      KEY,
      JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value]))),
    );
  } catch {
    // Without storage a reload begins anew.
  }
}

/** Fills the fields that are still empty: what the server sent back is newer. */
export function restoreDraft(fields: readonly Field[]): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    for (const field of fields) {
      if (field.value === '') field.value = String(kept[field.name] ?? '');
    }
  } catch {
    // As above.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}
