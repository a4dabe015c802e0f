import type { ThirdPartyScript } from '../../contract/third-party-scripts.ts';
import type { JourneyData } from '../../journey/data.ts';
import type { SurveyTexts } from '../texts/texts.ts';

/** Icons by their id (`iconId`), as the `d` of a path. */
export type Icons = Readonly<Record<string, string>>;

/** What a survey page hands to its script, as JSON in `<script id="survey-data">`. */
export type SurveyPageData = JourneyData & {
  /** The scripts of third parties that this survey may load. */
  readonly scripts: readonly ThirdPartyScript[];
  readonly texts: SurveyTexts;
  /** The icons that its answers show. */
  readonly icons: Icons;
};
