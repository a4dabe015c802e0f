import type { LogoName, ProgressStyle, ThemeName } from '../../domain/look.ts';
import type { Flow } from '../../flows/engine/flow.ts';
import type { Survey } from '../../flows/surveys.ts';
import { themes } from './themes.ts';

/** The attributes `data-theme`, `data-logo` and `data-progress` of a page's `<html>`. */
export type Look = {
  readonly theme: ThemeName;
  readonly logo: LogoName;
  readonly progress: ProgressStyle;
};

/** Returns a survey's look: from its row, else its theme, else (for the progress) its flow. */
export function lookOfSurvey({ theme, logo, progress }: Survey, flow: Flow): Look {
  return {
    theme,
    logo: logo ?? themes[theme].logo,
    progress: progress ?? themes[theme].progress ?? flow.progress,
  };
}
