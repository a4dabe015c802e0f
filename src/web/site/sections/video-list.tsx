import type { Video } from '../../../../content/videos.ts';

/**
 * The gallery's films. Each is a link to its file, which `entries/videos.ts` replaces with a player when it
 * is tapped. So a film loads only on demand, and works without a script.
 */
export function VideoList({ videos }: { readonly videos: readonly Video[] }) {
  return (
    <ul className="videos">
      {videos.map((video) => (
        <li key={video.id}>
          <h2 id={video.id}>{video.title}</h2>
          <p>{video.description}</p>
          <div className="video-frame">
            <a
              className="video-start"
              href={`/videos/${video.id}.mp4`}
              data-film={`/videos/${video.id}`}
            >
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M8 5.5v13l11-6.5z" />
              </svg>
              <span>
                Play “{video.title}”
                <small>
                  {lengthText(video)}, {sizeText(video.bytes)}, with captions
                </small>
              </span>
            </a>
          </div>
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

/** Formats a film's length: "0:42". */
function lengthText({ scenes }: Video): string {
  const seconds = scenes.reduce((sum, scene) => sum + scene.seconds, 0);
  return `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;
}

/** Formats a file size: "180 kB". */
function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
