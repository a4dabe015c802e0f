import { useQuery } from '@tanstack/react-query';
import { flowOf, type Survey } from '../../../flows/surveys.ts';

/** Loads a survey's flow: a piece of the console's own code, the same as on the survey's page. */
export function useFlow(survey: Survey | undefined) {
  return useQuery({
    queryKey: ['flow', survey?.flow, survey?.asksTimeframe, survey?.asksZipAlone],
    queryFn: () => (survey ? flowOf(survey) : undefined),
    enabled: survey !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
