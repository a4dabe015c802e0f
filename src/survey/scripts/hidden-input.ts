/** The survey's one form: it is there before any script of a third party, and stays through all steps. */
export function surveyForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>('#survey form');
}

/** A hidden input of the survey's form that a script of a third party fills. */
export function hiddenInput(name: string, id: string): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'hidden';
  input.name = name;
  input.id = id;
  surveyForm()?.append(input);
  return input;
}
