import type { ReactNode } from 'react';
import type { Video } from '../../../content/videos.ts';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Buyer } from '../../domain/buyer-choice.ts';
import type { Language } from '../../domain/language.ts';
import type { Survey } from '../../flows/surveys.ts';
import { type PageId, pathOf } from '../site-map.ts';
import { DeadlineOf, DeadlineTable } from './deadlines.tsx';
import { SponsorTable } from './sponsor-table.tsx';
import { VideoList } from './video-list.tsx';

type Guide = { readonly page: PageId; readonly title: string; readonly lead: string };

/**
 * Returns a function that renders a section by name and argument, for the texts of `content/pages/`. It
 * throws for an unknown name.
 */
export function contentSections(given: {
  readonly language: Language;
  readonly settings: SiteSettings;
  readonly surveys: readonly Survey[];
  readonly fallbackBuyers: readonly Buyer[];
  readonly showsPlaceholders: boolean;
  readonly guides: readonly Guide[];
  readonly videos: readonly Video[];
}): (name: string, argument: string | undefined) => ReactNode {
  const { language, settings, surveys, fallbackBuyers, guides, videos, showsPlaceholders } = given;
  return (name, argument = '') => {
    switch (name) {
      case 'deadlines':
        return <DeadlineTable settings={settings} />;
      case 'deadline':
        return <DeadlineOf settings={settings} code={argument} />;
      case 'sponsors':
        return (
          <SponsorTable
            language={language}
            surveys={surveys}
            fallbackBuyers={fallbackBuyers}
            showsPlaceholders={showsPlaceholders}
          />
        );
      case 'guides':
        return <GuideList guides={guides} />;
      case 'videos':
        return <VideoList videos={videos} />;
      default:
        throw new Error(`There is no section called ${name}`);
    }
  };
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
