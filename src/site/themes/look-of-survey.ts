import type { LogoName, ProgressStyle, ThemeName } from '../../domain/look.ts';
import type { Flow } from '../../flows/engine/flow.ts';
import type { Survey } from '../../flows/surveys.ts';
import { themes } from './themes.ts';

/** What a page's `<html>` says of its look, as `data-theme`, `data-logo` and `data-progress`. */
export type Look = {
  readonly theme: ThemeName;
  readonly logo: LogoName;
  readonly progress: ProgressStyle;
};

/** A survey's look: what its row says, else its theme, else (for the progress) its flow. */
export function lookOfSurvey({ theme, logo, progress }: Survey, flow: Flow): Look {
  return {
    theme,
    logo: logo ?? themes[theme].logo,
    progress: progress ?? themes[theme].progress ?? flow.progress,
  };
}
