/**
 * The contact form's draft, stored in this tab until the form is sent. It survives a reload and a change of
 * language (docs/specification.md#browser-storage).
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
    // Without storage a reload loses the draft.
  }
}

/** Fills the empty fields. Values that the server returned are newer than the draft. */
export function restoreDraft(fields: readonly Field[]): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    for (const field of fields) {
      if (field.value === '') field.value = String(kept[field.name] ?? '');
    }
  } catch {
    // Without storage there is no draft.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Without storage there is no draft to delete.
  }
}
