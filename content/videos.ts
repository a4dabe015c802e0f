/** A part of a film. Its text is on the screen and in the captions. */
export type Scene = { readonly heading: string; readonly text: string; readonly seconds: number };

/**
 * A film of the video gallery. Its files in `src/web/site/public/videos/` are `{id}.webm`, `{id}.mp4` and the
 * captions `{id}.vtt`.
 */
export type Video = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  /** Size of the larger video file in bytes, rounded up to 10 kB. The page shows it before playing. */
  readonly bytes: number;
  readonly scenes: readonly [Scene, ...Scene[]];
};

/** The films of the gallery, in their order on the page. */
export const videos: readonly Video[] = [
  {
    id: 'first-week',
    title: 'The first week after a crash',
    description: 'Five things that are easy now and hard later. A silent film that you can read.',
    width: 960,
    height: 540,
    bytes: 290_000,
    scenes: [
      {
        heading: 'The first week after a crash',
        text: 'Five things that are easy now and hard later.',
        seconds: 5,
      },
      {
        heading: '1. See a doctor',
        text: 'Even if you feel fine. Say it was a car accident, so it goes in your record.',
        seconds: 7,
      },
      {
        heading: '2. Keep the proof',
        text: 'Pictures, names, plates, the police report number. Save copies in a second place.',
        seconds: 7,
      },
      {
        heading: '3. Tell your own insurer',
        text: 'Soon, and only what you know. Ask for the claim number.',
        seconds: 6,
      },
      {
        heading: '4. Sign nothing yet',
        text: 'No recorded statement and no release for the other insurer until you know how well you will recover.',
        seconds: 7,
      },
      {
        heading: '5. Look up your last day',
        text: 'Every state has a deadline to sue. Put yours in your calendar.',
        seconds: 6,
      },
      {
        heading: 'One thing a day is enough',
        text: 'The rest of the day is for getting well.',
        seconds: 4,
      },
    ],
  },
];
