import { videos } from '../../../content/videos.ts';
import type { PageLocals } from '../../contract/page-locals.ts';
import type { Language } from '../../domain/language.ts';
import { type PageId, pathOf } from '../site-map.ts';
import { DeadlineOf, DeadlineTable } from './deadlines.tsx';
import { SponsorTable } from './sponsor-table.tsx';
import { VideoList } from './video-list.tsx';

type Guide = { readonly page: PageId; readonly title: string; readonly lead: string };

type Props = {
  readonly name: string;
  readonly argument: string | undefined;
  readonly language: Language;
  readonly locals: PageLocals;
  readonly guides: readonly Guide[];
};

/** A section that a text of `content/pages/` names. @throws if there is none of that name */
export function ContentSection({ name, argument = '', language, locals, guides }: Props) {
  if (name === 'deadlines') return <DeadlineTable settings={locals.site} />;
  if (name === 'deadline') return <DeadlineOf settings={locals.site} code={argument} />;
  if (name === 'sponsors') return <SponsorTable language={language} locals={locals} />;
  if (name === 'guides') return <GuideList guides={guides} />;
  if (name === 'videos') return <VideoList videos={videos} />;
  throw new Error(`There is no section called ${name}`);
}

function GuideList({ guides }: { readonly guides: readonly Guide[] }) {
  return (
    <ul className="guides">
      {guides.map(({ page, title, lead }) => (
        <li key={page}>
          <a href={pathOf(page, 'en')}>
            <strong>{title}</strong>
            <span>{lead}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
