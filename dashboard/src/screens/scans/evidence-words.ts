/** Evidence in plain words: a headline that says what was seen, and a sentence that says why it matters. */
import { useTranslation } from 'react-i18next';
import { usePlaceNames } from '../../components/place-names.ts';
import { useFormats } from '../../i18n/format.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { rough, roughUp } from './rough.ts';
import { whatJoinsNot, type Signal } from './signals.ts';

export interface EvidenceWords {
  headline: string;
  text: string;
  /** Further lines, one for each place. */
  places: { id: string; text: string }[];
}

const HOUR = 60;
const A_MILLION = 1_000_000;

export function useEvidenceWords(): (signal: Signal) => EvidenceWords {
  const { t } = useTranslation('scans');
  const formats = useFormats();
  const names = usePlaceNames();
  // Evidence is told to the minute.
  const duration = (minutes: number) => formats.duration(Math.max(1, minutes) * 60);

  const travel = (signal: Schemas['ImpossibleTravelSignal']): EvidenceWords => {
    // Two visits in the order in which they were made.
    const isForward = signal.from.at <= signal.to.at;
    const [from, to] = isForward ? [signal.from, signal.to] : [signal.to, signal.from];
    const km = (value: number) => formats.kilometres(value);
    return {
      headline: t('evidence.travel', {
        from: names.short(from),
        to: names.short(to),
        distance: km(rough(signal.distanceKm)),
        time: duration(signal.minutes),
        one: km(from.accuracyKm),
        two: km(to.accuracyKm),
      }),
      text: t('evidence.travelWhy', {
        adjusted: km(rough(signal.adjustedKm, 3)),
        speed: t('kmh', { value: formats.number(roughUp(signal.speedKmh)) }),
        limit: t('kmh', { value: formats.number(signal.thresholdKmh) }),
      }),
      places: [],
    };
  };

  const inHindsight = (why: string, { turnedOut }: Schemas['CloneSignal']): string =>
    turnedOut === undefined
      ? why
      : t('evidence.sentences', {
          first: why,
          second: t('evidence.turnedOut', { share: formats.percent(turnedOut) }),
        });

  const clone = (signal: Schemas['CloneSignal']): EvidenceWords => {
    const places = signal.places.map((place) => ({
      id: `${place.lat},${place.lon},${place.firstAt}`,
      text: t('evidence.clonePlace', {
        place: names.long(place),
        count: place.visitors,
        days: formats.days(place.firstAt, place.lastAt),
      }),
    }));
    const likelier = Math.exp(signal.evidence);
    const times =
      likelier > A_MILLION
        ? t('evidence.timesMany')
        : t('evidence.times', { value: formats.number(rough(likelier)) });
    const limit = formats.number(rough(Math.exp(signal.threshold)));
    // The service names those with most visitors.
    const named = formats.number(signal.places.length);
    const isAll = signal.places.reduce((sum, { visitors }) => sum + visitors, 0) >= signal.visitors;
    if (signal.reason !== 'places')
      return { headline: t(`evidence.${signal.reason}`), text: t(`evidence.${signal.reason}Why`), places };
    const { isOfPlaces, isOfMoves } = whatJoinsNot(signal);
    return {
      headline: isOfPlaces
        ? t('evidence.clone', {
            count: signal.visitors,
            places: isAll ? named : t('evidence.placesOrMore', { number: named }),
          })
        : t('evidence.cloneOnePlace'),
      text: inHindsight(
        isOfMoves
          ? t('evidence.cloneWhy', { count: signal.moves, times, limit })
          : t('evidence.cloneWhyUnmoved', { times, limit }),
        signal,
      ),
      places,
    };
  };

  const excessive = (signal: Schemas['ExcessiveScanningSignal']): EvidenceWords => ({
    headline: t('evidence.excessive', { count: signal.visitors, time: duration(signal.windowHours * HOUR) }),
    text: t('evidence.excessiveWhy', { limit: formats.number(signal.threshold) }),
    places: [],
  });

  const diversion = (signal: Schemas['DiversionSignal']): EvidenceWords => {
    const country = formats.country(signal.country);
    const lot = signal.lot ?? null;
    const ofMarkets = lot?.among === 'markets';
    const reason = ofMarkets && signal.reason === 'lot-inside' ? 'markets-inside' : signal.reason;
    return {
      headline: t('evidence.diversion', {
        country,
        markets: formats.list(signal.markets.map(formats.country)),
      }),
      text: t(`evidence.diversionWhy.${reason}`, { country }),
      places: [
        {
          id: 'visitors',
          text: t('evidence.diversionVisitors', {
            inside: formats.number(Math.round(signal.visitorsInside)),
            outside: formats.number(Math.round(signal.visitorsOutside)),
          }),
        },
        ...(lot === null || lot.units === 0
          ? []
          : [
              {
                id: 'lot',
                text: t(ofMarkets ? 'evidence.diversionMarkets' : 'evidence.diversionLot', {
                  count: lot.units,
                  same: formats.number(lot.sameCountry),
                  country,
                }),
              },
            ]),
      ],
    };
  };

  return (signal) => {
    switch (signal.type) {
      case 'impossible_travel':
        return travel(signal);
      case 'clone':
        return clone(signal);
      case 'excessive_scanning':
        return excessive(signal);
      case 'diversion':
        return diversion(signal);
    }
  };
}
