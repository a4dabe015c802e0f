/** A film of the video gallery; its files are in `src/site/public/videos/`. */
export type Video = {
  /** The name of its files: `{id}.webm` and, for captions, `{id}.vtt`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  /** Size of the film's file, in bytes: said before anybody taps. */
  readonly bytes: number;
  /** Everything that is said or shown, for those who would rather read. */
  readonly transcript: readonly string[];
};

/** The films of the gallery, in the order in which they stand there. */
export const videos: readonly Video[] = [];
