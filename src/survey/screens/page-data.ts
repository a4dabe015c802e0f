import type { ThirdPartyScript } from '../../contract/third-party-scripts.ts';
import type { JourneyData } from '../../journey/data.ts';
import type { SurveyTexts } from '../texts/texts.ts';

/** The `d` of each icon's path, by id (`iconId`). */
export type Icons = Readonly<Record<string, string>>;

/** The data of a survey page for its script, as JSON in `<script id="survey-data">`. */
export type SurveyPageData = JourneyData & {
  /** The third-party scripts that this survey may load. */
  readonly scripts: readonly ThirdPartyScript[];
  readonly texts: SurveyTexts;
  /** The icons of its answers. */
  readonly icons: Icons;
};
