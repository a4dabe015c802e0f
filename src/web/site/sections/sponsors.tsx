import { sponsorWords } from '../../../../content/section-words.ts';
import { exampleSponsor, type Sponsor } from '../../../../content/sponsors.ts';
import type { Language } from '../../../model/fields/language.ts';
import type { PageLocals } from '../../../model/messages/site-settings.ts';
import { fill } from '../../survey/texts/shared.ts';
import { stateName, stateNames } from '../../survey/texts/state-names.ts';
import { barOf, hasPlaceholderName, shownSponsors, statesOf } from '../sponsor-list.ts';
import { Facts } from './page-parts.tsx';

type Props = { readonly language: Language; readonly locals: PageLocals };

/** Lists every participating firm as a card, with its US states and its bar. */
export function Sponsors({ language, locals }: Props) {
  const { placeholders, nobody } = sponsorWords[language];
  const shown = shownSponsors(locals);
  const listed = shown.every(hasPlaceholderName) ? [exampleSponsor, ...shown] : shown;
  if (shown.length === 0) return <p>{nobody}</p>;
  return (
    <>
      {listed.some(hasPlaceholderName) && <p className="notice">{placeholders}</p>}
      <ul className="fields sponsors">
        {listed.map((sponsor) => (
          <Card key={sponsor.name} sponsor={sponsor} language={language} />
        ))}
      </ul>
    </>
  );
}

function Card({ sponsor, language }: Pick<Props, 'language'> & { readonly sponsor: Sponsor }) {
  const words = sponsorWords[language];
  const { name, office, responsibleLawyer, website, barRecord } = sponsor;
  const bar = barOf(sponsor);
  const barName = barRecord
    ? fill(words.record, { name: responsibleLawyer ?? name })
    : bar && fill(words.bar, { state: stateName(language, bar.state) });
  return (
    <li>
      <p className="sponsor-name">{website ? <a href={website}>{name}</a> : name}</p>
      <Facts
        facts={{
          [words.office]: office,
          [words.responsible]: responsibleLawyer,
          [words.states]: statesText(sponsor, language),
        }}
      />
      {bar && (
        <p>
          <a href={bar.url}>{barName}</a>
        </p>
      )}
    </li>
  );
}

/** Returns the names of a firm's states, or of the states without the firm if these are fewer. */
function statesText(sponsor: Sponsor, language: Language): string {
  const { everywhere, except } = sponsorWords[language];
  const codes = statesOf(sponsor);
  if (!codes) return everywhere;
  const names = Object.entries(stateNames(language));
  const namesOf = (isListed: boolean) =>
    names.filter(([code]) => codes.includes(code) === isListed).map(([, each]) => each);
  const [listed, others] = [namesOf(true), namesOf(false)];
  return others.length < listed.length
    ? fill(except, { states: others.join(', ') })
    : listed.join(', ');
}
