import { type Sponsor, sponsors } from '../../../content/sponsors.ts';
import type { Buyer } from '../../domain/buyer-choice.ts';
import type { Language } from '../../domain/language.ts';
import type { Survey } from '../../flows/surveys.ts';
import { fill } from '../../survey/texts/fill.ts';
import { stateNames } from '../../survey/texts/state-names.ts';
import { grouped, isPlaceholder, sponsorsByState } from '../sponsor-list.ts';

const words = {
  en: {
    placeholders:
      'This list is not complete yet. Names such as “Partner Law Firm A” are placeholders: they stand for firms that have not been announced.',
    states: 'In {count} states',
    responsible: 'Responsible lawyer: ',
    nobody: 'No firm takes part here at the moment.',
    fetched:
      'In surveys where you choose a firm by name, we look up at that moment which firms can take a new case. You see them before you agree to anything.',
  },
  es: {
    placeholders:
      'Esta lista aún no está completa. Nombres como “Partner Law Firm A” ocupan el lugar de bufetes que todavía no se han anunciado.',
    states: 'En {count} estados',
    responsible: 'Abogado responsable: ',
    nobody: 'Por ahora no participa ningún bufete aquí.',
    fetched:
      'En las encuestas donde usted elige un bufete por nombre, buscamos en ese momento qué bufetes pueden tomar un caso nuevo. Usted los ve antes de aceptar nada.',
  },
} as const;

/** Who takes part, by state; states with the same firms stand together. */
export function SponsorTable({
  language,
  surveys,
  fallbackBuyers,
  showsPlaceholders,
}: {
  readonly language: Language;
  readonly surveys: readonly Survey[];
  readonly fallbackBuyers: readonly Buyer[];
  /** False on a live site: a firm without a name is not listed. */
  readonly showsPlaceholders: boolean;
}) {
  const listed = sponsorsByState(sponsors, surveys, fallbackBuyers).map((state) => ({
    ...state,
    sponsors: state.sponsors.filter((sponsor) => showsPlaceholders || !isPlaceholder(sponsor)),
  }));
  const groups = grouped(listed);
  const names = stateNames(language);
  const hasPlaceholders = groups.some((group) => group.sponsors.some(isPlaceholder));
  return (
    <>
      {hasPlaceholders && <p className="notice">{words[language].placeholders}</p>}
      {groups.map((group) => (
        <section className="sponsor-group" key={group.states[0]?.code}>
          <h3>{fill(words[language].states, { count: group.states.length })}</h3>
          <p className="sponsor-states">{group.states.map(({ code }) => names[code]).join(', ')}</p>
          {group.sponsors.length === 0 ? (
            <p>{words[language].nobody}</p>
          ) : (
            <ul>
              {group.sponsors.map((sponsor) => (
                <li key={sponsor.name}>
                  <SponsorLine sponsor={sponsor} language={language} />
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
      <p>{words[language].fetched}</p>
    </>
  );
}

function SponsorLine({
  sponsor: { name, office, responsibleLawyer, website },
  language,
}: {
  readonly sponsor: Sponsor;
  readonly language: Language;
}) {
  return (
    <>
      {website === undefined ? <strong>{name}</strong> : <a href={website}>{name}</a>}
      {office !== '' && `, ${office}`}
      {responsibleLawyer !== undefined && `. ${words[language].responsible}${responsibleLawyer}`}
    </>
  );
}
