import type { Language } from '../../../model/fields/language.ts';
import type { PageLocals } from '../../../model/messages/site-settings.ts';
import { stateNames } from '../../survey/texts/state-names.ts';
import { hasPlaceholderName, shownSponsors, statesOf } from '../sponsor-list.ts';

const words = {
  en: {
    placeholders: 'Example firms, in this demo only. The live site lists the firms that take part.',
    everywhere: 'In every state and the District of Columbia',
    responsible: 'Responsible lawyer: ',
    nobody: 'No firm is listed at the moment.',
  },
  es: {
    placeholders:
      'Bufetes de ejemplo, solo en esta demostración. En el sitio real están los bufetes que participan.',
    everywhere: 'En todos los estados y el Distrito de Columbia',
    responsible: 'Abogado responsable: ',
    nobody: 'Por ahora no hay ningún bufete en la lista.',
  },
} as const;

type Props = { readonly language: Language; readonly locals: PageLocals };

/** Lists every participating firm with its states. */
export function SponsorTable({ language, locals }: Props) {
  const { placeholders, nobody, everywhere, responsible } = words[language];
  const names = stateNames(language);
  const listed = shownSponsors(locals);
  if (listed.length === 0) return <p>{nobody}</p>;
  return (
    <>
      {listed.some(hasPlaceholderName) && <p className="notice">{placeholders}</p>}
      <ul className="sponsors">
        {listed.map((sponsor) => {
          const { name, office, responsibleLawyer, website } = sponsor;
          const states = statesOf(sponsor)?.map((code) => names[code]);
          return (
            <li key={name}>
              {website === undefined ? <strong>{name}</strong> : <a href={website}>{name}</a>}
              {office !== '' && `, ${office}`}
              {responsibleLawyer !== undefined && `. ${responsible}${responsibleLawyer}`}
              <p className="muted">{states?.join(', ') ?? everywhere}</p>
            </li>
          );
        })}
      </ul>
    </>
  );
}
