import { videos } from '../../../../content/videos.ts';
import type { Language } from '../../../model/fields/language.ts';
import type { PageLocals } from '../../../model/messages/page-locals.ts';
import { DeadlineOf, DeadlineTable } from './deadlines.tsx';
import { type Guide, GuideList } from './page-parts.tsx';
import { SponsorTable } from './sponsor-table.tsx';
import { VideoList } from './video-list.tsx';

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
  if (name === 'guides') return <GuideList language={language} guides={guides} />;
  if (name === 'videos') return <VideoList videos={videos} />;
  throw new Error(`There is no section called ${name}`);
}
