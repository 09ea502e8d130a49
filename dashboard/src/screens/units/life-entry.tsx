import { Anchor, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconBottle,
  IconFlag,
  IconGavel,
  IconLockOpen,
  IconLockX,
  IconMessageReport,
  IconPackageImport,
  IconPlayerPause,
  IconPlayerPlay,
  IconPrinter,
  IconScan,
  IconTruckDelivery,
  IconTruckOff,
  IconUrgent,
  type Icon,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import type { Tone } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import type { Formats } from '../../i18n/create-formats.ts';
import { useFormats } from '../../i18n/format.ts';
import { RESULTS } from '../scans/badges.tsx';

type TimelineEntry = Schemas['TimelineEntry'];

interface Shown {
  icon: Icon;
  tone: Tone;
  title: string;
  detail?: ReactNode;
  /** Where it is told in full. */
  to?: string;
}

const signalWords = (signals: readonly string[], t: TFunction, formats: Formats): string =>
  formats.list(signals.map((signal) => t(`signal.${signal}`, { defaultValue: signal })));

function shipment(
  entry: Extract<TimelineEntry, { type: 'shipped' | 'received' | 'shipment_cancelled' }>,
  t: TFunction,
): Pick<Shown, 'title' | 'to'> {
  const { type, destination, reference, consignmentId } = entry;
  const title = destination === null ? t(`life_${type}`) : t(`life_${type}_to`, { destination });
  return {
    title: reference === null ? title : `${title} (${reference})`,
    to: `/consignments/${consignmentId}`,
  };
}

/** An entry of the timeline in words. */
function show(entry: TimelineEntry, t: TFunction, formats: Formats): Shown {
  switch (entry.type) {
    case 'minted':
      return { icon: IconPrinter, tone: 'neutral', title: t('life_minted'), detail: t('life_minted_text') };
    case 'activated':
    case 'reactivated':
      return {
        icon: IconPlayerPlay,
        tone: 'good',
        title: t(`life_${entry.type}`),
        detail: t('life_activated_text'),
      };
    case 'suspended':
      return {
        icon: IconPlayerPause,
        tone: 'warning',
        title: t('life_suspended'),
        detail: t('life_suspended_text'),
      };
    case 'voided':
      return { icon: IconBan, tone: 'bad', title: t('life_voided'), detail: t('life_voided_text') };
    case 'consumed':
      return {
        icon: IconBottle,
        tone: 'neutral',
        title: t('life_consumed'),
        detail: t('life_consumed_text'),
      };
    case 'hidden_code_entered': {
      const { isCorrect, wrongAttempts, scanId } = entry;
      return {
        icon: isCorrect ? IconLockOpen : IconLockX,
        tone: isCorrect ? 'neutral' : 'warning',
        title: t(isCorrect ? 'life_hidden_code' : 'life_hidden_code_wrong'),
        ...(wrongAttempts === 0 ? {} : { detail: t('life_hidden_code_attempts', { count: wrongAttempts }) }),
        ...(scanId === null ? {} : { to: `/scans/${scanId}` }),
      };
    }
    case 'shipped':
      return { icon: IconTruckDelivery, tone: 'info', ...shipment(entry, t) };
    case 'shipment_cancelled':
      return { icon: IconTruckOff, tone: 'warning', ...shipment(entry, t) };
    case 'received': {
      const received = { icon: IconPackageImport, ...shipment(entry, t) };
      if (entry.condition === null) return { ...received, tone: 'good' };
      return { ...received, tone: 'warning', detail: t(`condition.${entry.condition}`) };
    }
    case 'recalled':
    case 'recall_lifted': {
      const { type, scope, recallId } = entry;
      const reason = type === 'recalled' ? entry.reason : null;
      return {
        icon: IconUrgent,
        tone: type === 'recalled' ? 'bad' : 'good',
        title: t(`life_${type}`, { what: t(`scope.${scope}`) }),
        ...(reason === null ? {} : { detail: reason }),
        to: `/recalls/${recallId}`,
      };
    }
    case 'scanned': {
      const place = entry.country === null ? t('placeUnknown') : formats.country(entry.country);
      const signals = signalWords(entry.signals, t, formats);
      // What was noticed and did not reach the threshold.
      const isHint = entry.result === 'genuine';
      const hint = isHint ? t('life_scanned_hint', { signals }) : signals;
      const details = [
        ...(entry.signals.length === 0 ? [] : [hint]),
        ...(entry.nfcTap === null ? [] : [t(`life_nfcTap.${entry.nfcTap}`)]),
      ];
      return {
        icon: entry.signals.length === 0 || isHint ? IconScan : IconAlertTriangle,
        tone: RESULTS[entry.result],
        title: t(entry.isInternal ? 'life_scannedInside' : 'life_scanned', {
          place,
          result: t(`result.${entry.result}`),
        }),
        ...(details.length === 0 ? {} : { detail: details.join(' · ') }),
        to: `/scans/${entry.scanId}`,
      };
    }
    case 'flagged':
      return {
        icon: IconFlag,
        tone: 'bad',
        title: t(
          entry.openedBy === null
            ? 'life_flagged'
            : entry.reportId === null
              ? 'life_opened'
              : 'life_opened_report',
        ),
        ...(entry.signals.length === 0 ? {} : { detail: signalWords(entry.signals, t, formats) }),
        to: `/cases/${entry.caseId}`,
      };
    case 'decided':
      return {
        icon: IconGavel,
        tone: entry.decision === 'confirmed' ? 'bad' : 'good',
        title: t(`life_decided_${entry.decision}`),
        ...(entry.closingReason === null ? {} : { detail: t(`closing.${entry.closingReason}`) }),
        to: `/cases/${entry.caseId}`,
      };
    case 'reported':
      return {
        icon: IconMessageReport,
        tone: 'warning',
        title: t('life_reported', { context: entry.channel === 'consumer' ? undefined : 'own' }),
        detail: t('quoted', { text: entry.excerpt }),
        to: `/reports/${entry.reportId}`,
      };
  }
}

export function Entry({ entry }: { entry: TimelineEntry }) {
  const { t } = useTranslation('units');
  const formats = useFormats();
  const { icon: Sign, tone, title, detail, to } = show(entry, t, formats);
  return (
    <li className="life-entry" data-type={entry.type}>
      <span className="life-sign" data-tone={tone}>
        <Sign size={17} stroke={1.7} aria-hidden />
      </span>
      <div className="life-what">
        <Text size="sm" fw={550}>
          {to === undefined ? (
            title
          ) : (
            <Anchor component={Link} to={to} inherit c="inherit" underline="always">
              {title}
            </Anchor>
          )}
        </Text>
        {detail !== undefined && (
          <Text size="xs" c="dimmed" className="life-detail">
            {detail}
          </Text>
        )}
      </div>
      <div className="life-when">
        <Time at={entry.at} isFocusable={to === undefined} />
      </div>
    </li>
  );
}
