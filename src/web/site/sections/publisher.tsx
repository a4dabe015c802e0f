import { publisherWords } from '../../../../content/section-words.ts';
import type { Language } from '../../../model/fields/language.ts';
import { escapeHtml } from '../../../model/messages/form-marks.ts';
import {
  isDemoName,
  type PageLocals,
  type Reviewer,
} from '../../../model/messages/site-settings.ts';
import { dayText } from '../../survey/texts/law-facts.ts';
import { stateName } from '../../survey/texts/state-names.ts';
import { asHtml, fillPlaces } from '../content.ts';
import { Facts } from './page-parts.tsx';

type Props = { readonly language: Language; readonly locals: PageLocals };

/** The founder's note in the page's language, if the operator set one. */
export function FounderNote({ language, locals }: Props) {
  const { founderName, founderNote } = locals.site.publisher;
  const note = founderNote[language];
  if (!note) return null;
  return (
    <figure className="founder">
      <blockquote>{note}</blockquote>
      <figcaption>
        {founderName && <strong>{founderName}</strong>}
        <span className="muted">{publisherWords[language].founder}</span>
      </figcaption>
    </figure>
  );
}

/** Lists who runs the site and how to reach them, as far as the operator has set it. */
export function WhoWeAre({ language, locals }: Props) {
  const { publisher, phoneHref, phoneDisplay, callHours, contactEmail } = locals.site;
  const { entity, address, reviewer } = publisher;
  const { examples, ...terms } = publisherWords[language];
  const hours = callHours[language];
  const phone = (
    <>
      <a href={phoneHref}>{phoneDisplay}</a>
      {hours && <p className="muted">{hours}</p>}
    </>
  );
  return (
    <>
      {locals.showsExamples && isDemoName(publisher.entity) && <p className="notice">{examples}</p>}
      <Facts
        facts={{
          [terms.entity]: entity,
          [terms.address]: address,
          [terms.phone]: phone,
          [terms.email]: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>,
          [terms.reviewer]: reviewer && <span {...asHtml(attorneyHtml(reviewer, language))} />,
        }}
      />
    </>
  );
}

/** Says which attorney reviewed a guide, with a link to the bar's record. */
export function ReviewedBy({
  reviewer,
  language,
}: Pick<Props, 'language'> & { reviewer: Reviewer }) {
  const html = publisherWords[language].reviewed + attorneyHtml(reviewer, language);
  return <p className="fine" {...asHtml(html)} />;
}

function attorneyHtml(reviewer: Reviewer, language: Language): string {
  const { name, barState, barNumber, reviewedOn, record } = reviewer;
  return fillPlaces(publisherWords[language].attorney, {
    name: `<a href="${escapeHtml(record)}">${escapeHtml(name)}</a>`,
    state: stateName(language, barState),
    number: escapeHtml(barNumber),
    date: `<time datetime="${reviewedOn}">${dayText(reviewedOn, language)}</time>`,
  });
}
