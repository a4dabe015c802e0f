import { type Video, videos } from '../../../../content/videos.ts';
import type { Language } from '../../../model/fields/language.ts';
import type { PageLocals } from '../../../model/messages/site-settings.ts';
import { dayText, type StateDeadline, stateDeadlines, yearsText } from '../law-facts.ts';
import { type Guide, GuideList } from './page-parts.tsx';
import { SponsorTable } from './sponsor-table.tsx';

type Props = {
  readonly name: string;
  readonly argument: string | undefined;
  readonly language: Language;
  readonly locals: PageLocals;
  readonly guides: readonly Guide[];
};

/** A section that a text of `content/pages/` names. @throws for an unknown name or state */
export function ContentSection({ name, argument = '', language, locals, guides }: Props) {
  if (name === 'sponsors') return <SponsorTable language={language} locals={locals} />;
  if (name === 'guides') return <GuideList language={language} guides={guides} />;
  if (name === 'videos') return <VideoList />;
  const deadlines = stateDeadlines(locals.site.limitation);
  if (name === 'deadlines') return <DeadlineTable deadlines={deadlines} />;
  const deadline = deadlines.find(({ code }) => code === argument);
  if (name === 'deadline' && deadline) return <DeadlineOf deadline={deadline} />;
  throw new Error(`There is no section called ${name} ${argument}`);
}

/** The deadlines of all states. A row's id is the state's code in lower case. */
function DeadlineTable({ deadlines }: { readonly deadlines: readonly StateDeadline[] }) {
  return (
    <table className="deadlines">
      <caption className="sr-only">Time to file a lawsuit for an injury, by state</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Time to sue</th>
        </tr>
      </thead>
      <tbody>
        {deadlines.map((state) => (
          <tr key={state.code} id={state.code.toLowerCase()}>
            <th scope="row">
              {state.name}
              {notes(state) && <span className="deadline-note muted">{notes(state)}</span>}
            </th>
            <td>{yearsText(state.years, 'en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** One state's deadline, in large type. */
function DeadlineOf({ deadline }: { readonly deadline: StateDeadline }) {
  return (
    <div className="box deadline-one">
      <p className="deadline-years">{yearsText(deadline.years, 'en')}</p>
      <p>
        from the day of the crash to file a lawsuit for an injury in {deadline.name}.{' '}
        {notes(deadline)}
      </p>
    </div>
  );
}

/** Returns notes on a deadline: its start, its law, and the survey's limit if that differs. */
function notes({ since, before, source, surveyYears, years }: StateDeadline): string {
  const earlier = before === undefined ? '' : yearsText(before, 'en');
  const change =
    since && `For crashes on or after ${dayText(since, 'en')}. Before that, ${earlier}.`;
  const survey =
    surveyYears !== undefined &&
    `Our questions still use ${yearsText(surveyYears, 'en')} here. Go by the law: ${yearsText(years, 'en')}.`;
  return [change, source && `Source: ${source}.`, survey].filter(Boolean).join(' ');
}

/** The gallery's films. A film loads when the visitor starts it. */
function VideoList() {
  return (
    <ul className="videos">
      {videos.map((video) => (
        <li key={video.id}>
          <h2 id={video.id}>{video.title}</h2>
          <p>{video.description}</p>
          <video controls playsInline preload="none" aria-labelledby={video.id}>
            <source src={`/videos/${video.id}.webm`} type="video/webm" />
            <source src={`/videos/${video.id}.mp4`} type="video/mp4" />
            <track
              kind="captions"
              srcLang="en"
              label="English"
              src={`/videos/${video.id}.vtt`}
              default
            />
          </video>
          <p className="muted">{factsText(video)}, with captions</p>
          <details className="transcript">
            <summary>Read it instead</summary>
            {video.scenes.map(({ heading, text }) => (
              <p key={heading}>
                <strong>{heading}.</strong> {text}
              </p>
            ))}
          </details>
        </li>
      ))}
    </ul>
  );
}

/** Formats a film's length and size: "0:42, 290 kB". */
function factsText({ scenes, bytes }: Video): string {
  const seconds = scenes.reduce((sum, scene) => sum + scene.seconds, 0);
  const length = `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;
  return `${length}, ${Math.ceil(bytes / 1000)} kB`;
}
