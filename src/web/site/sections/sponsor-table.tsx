import type { Sponsor } from '../../../../content/sponsors.ts';
import type { Language } from '../../../model/fields/language.ts';
import type { PageLocals } from '../../../model/messages/site-settings.ts';
import { stateNames } from '../../survey/texts/state-names.ts';
import { hasPlaceholderName, shownSponsors, statesOf } from '../sponsor-list.ts';

const words = {
  en: {
    placeholders: 'Example firms, in this demo only. The live site lists the firms that take part.',
    example: 'Partner Law Firm ',
    everywhere: 'In every state and the District of Columbia',
    responsible: 'Responsible lawyer: ',
    nobody: 'No firm is listed at the moment.',
    fetched:
      'In surveys where you choose a firm by name, we look up at that moment which firms can take a new case. You see them before you agree to anything.',
  },
  es: {
    placeholders:
      'Bufetes de ejemplo, solo en esta demostración. En el sitio real están los bufetes que participan.',
    example: 'Bufete de ejemplo ',
    everywhere: 'En todos los estados y el Distrito de Columbia',
    responsible: 'Abogado responsable: ',
    nobody: 'Por ahora no hay ningún bufete en la lista.',
    fetched:
      'En los cuestionarios donde usted elige un bufete por nombre, buscamos en ese momento qué bufetes pueden tomar un caso nuevo. Usted los ve antes de aceptar nada.',
  },
} as const;

type Props = { readonly language: Language; readonly locals: PageLocals };

/** Lists every participating firm with its states. */
export function SponsorTable({ language, locals }: Props) {
  const { placeholders, nobody, fetched } = words[language];
  const listed = shownSponsors(locals);
  return (
    <>
      {listed.some(hasPlaceholderName) && <p className="notice">{placeholders}</p>}
      {listed.length === 0 ? (
        <p>{nobody}</p>
      ) : (
        <ul className="sponsors">
          {listed.map((sponsor) => (
            <li key={sponsor.name}>
              <SponsorLine sponsor={sponsor} language={language} />
              <p className="muted">{statesText(sponsor, language)}</p>
            </li>
          ))}
        </ul>
      )}
      <p>{fetched}</p>
    </>
  );
}

/** Names a firm's states. */
function statesText(sponsor: Sponsor, language: Language): string {
  const names = stateNames(language);
  const states = statesOf(sponsor)?.map((code) => names[code]);
  return states?.join(', ') ?? words[language].everywhere;
}

type LineProps = { readonly sponsor: Sponsor; readonly language: Language };

function SponsorLine({ sponsor, language }: LineProps) {
  const { office, responsibleLawyer, website } = sponsor;
  const name = hasPlaceholderName(sponsor)
    ? words[language].example + sponsor.name.at(-1)
    : sponsor.name;
  return (
    <>
      {website === undefined ? <strong>{name}</strong> : <a href={website}>{name}</a>}
      {office !== '' && `, ${office}`}
      {responsibleLawyer !== undefined && `. ${words[language].responsible}${responsibleLawyer}`}
    </>
  );
}
