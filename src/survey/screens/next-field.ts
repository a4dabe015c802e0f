import type { KeyboardEvent } from 'react';

/**
 * The enter key that says "next" goes to the next field, also where the browser takes it for the
 * form's button and the visitor would be told of everything that is still empty.
 */
export function goToNextField(event: KeyboardEvent<HTMLFormElement>): void {
  const input = event.target as HTMLElement;
  if (event.key !== 'Enter' || input.enterKeyHint !== 'next') return;
  event.preventDefault();
  const fields = ([...event.currentTarget.elements] as HTMLElement[]).filter(
    (each) => each.tagName !== 'FIELDSET',
  );
  fields[fields.indexOf(input) + 1]?.focus();
}
