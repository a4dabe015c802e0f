import { closedStatesPolicy } from '../../../content/closed-states.ts';
import type { CalendarDate } from '../../model/fields/dates.ts';
import type { Language } from '../../model/fields/language.ts';
import type { SiteSettings } from '../../model/messages/site-settings.ts';
import { closedStates } from '../../model/rules/state-rules.ts';
import { fill } from '../survey/texts/shared.ts';
import { stateName } from '../survey/texts/state-names.ts';

/** Returns the privacy policy's sentences on states whose rules restrict the sale of leads. */
export function closedStatesText(
  language: Language,
  today: CalendarDate,
  { stateRules }: Pick<SiteSettings, 'stateRules'>,
): string {
  const words = closedStatesPolicy[language];
  const none = closedStates(today, stateRules, true);
  const named = closedStates(today, stateRules).filter((state) => !none.includes(state));
  const sentence = (text: string, codes: readonly string[]) => {
    const names = codes.map((code) => stateName(language, code));
    const states = new Intl.ListFormat(language).format(names);
    return states && fill(text, { states });
  };
  return [sentence(words.named, named), sentence(words.none, none)].filter(Boolean).join(' ');
}
