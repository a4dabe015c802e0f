import type { CalendarDate } from '../../model/fields/dates.ts';
import type { Language } from '../../model/fields/language.ts';
import type { SiteSettings } from '../../model/messages/site-settings.ts';
import { closedStates } from '../../model/rules/state-rules.ts';
import { fill } from '../survey/texts/shared.ts';
import { stateNames } from '../survey/texts/state-names.ts';

const words = {
  en: {
    named:
      'What you send from {states} goes only to a law firm that you chose by name. If you chose none, no firm gets it, and the page tells you.',
    none: 'What you send from {states} goes to no law firm, and the page tells you.',
  },
  es: {
    named:
      'Lo que envía desde {states} va solo a un bufete que usted eligió por nombre. Si no eligió ninguno, ningún bufete lo recibe, y la página se lo dice.',
    none: 'Lo que envía desde {states} no va a ningún bufete, y la página se lo dice.',
  },
} as const;

/** Returns the privacy policy's sentences on states whose rules restrict the sale of leads. */
export function closedStatesText(
  language: Language,
  today: CalendarDate,
  { stateRules }: Pick<SiteSettings, 'stateRules'>,
): string {
  const names = stateNames(language);
  const prohibited = closedStates(today, stateRules, true);
  const named = closedStates(today, stateRules).filter((state) => !prohibited.includes(state));
  const sentence = (text: string, codes: readonly string[]) => {
    const states = new Intl.ListFormat(language).format(codes.map((code) => names[code] ?? code));
    return codes.length > 0 ? [fill(text, { states })] : [];
  };
  const { named: onlyNamed, none } = words[language];
  return [...sentence(onlyNamed, named), ...sentence(none, prohibited)].join(' ');
}
