import { Button, Group, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';
import { FileField } from '../../components/file-field.tsx';
import { notifyError } from '../../components/notify.ts';
import { ALL_PRODUCTS } from '../../components/product-sources.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { useFormats } from '../../i18n/format.ts';
import { csvOf, likelierKey, LIST_KEYS, listedIn, type ListKey } from './listed-units.ts';

const ACTIONS = ['activate', 'suspend', 'recall', 'lift-recall'] as const;
type Action = (typeof ACTIONS)[number];

/** Which texts say what an action does to several units. */
const TEXTS = {
  activate: { ns: 'batches', key: 'activate' },
  suspend: { ns: 'batches', key: 'suspend' },
  recall: { ns: 'units', key: 'listed.recall' },
  'lift-recall': { ns: 'units', key: 'listed.lift-recall' },
} as const satisfies Record<Action, { ns: string; key: string }>;
const DANGEROUS: ReadonlySet<Action> = new Set(['suspend', 'recall']);

/** What the service takes in one request, and in a body of JSON; a longer list is sent as a file. */
const MOST = 1_000_000;
const MOST_IN_JSON = 1_000;
const SHOWN_STRAYS = 3;
const SHOWN_LETTERS = 40;

/** Does something to the units of a list; what names none is told before it begins, and what is refused by the job. */
export function ChangeListed({ onStarted }: { onStarted: (jobId: string) => void }) {
  const { t } = useTranslation('units');
  const formats = useFormats();
  const [isAsking, setAsking] = useState(false);
  const [action, setAction] = useState<Action>('activate');
  const [by, setBy] = useState<ListKey>('unitId');
  const [productId, setProduct] = useState('');
  const [reason, setReason] = useState('');
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  // Of the file that was chosen last: one that takes longer to be read may be that before it.
  const [read, setRead] = useState<{ file: File; text: string } | null>(null);
  const isRead = file === null || read?.file === file;
  const ofFile = file !== null && read?.file === file ? read.text : '';
  // A long file is not read again at each letter of the reason.
  const { items, strays, likelier } = useMemo(() => {
    const listed = listedIn(by, text, ofFile);
    return { ...listed, likelier: likelierKey(by, listed) };
  }, [by, text, ofFile]);
  const start = useChange(() => {
    const url = '/api/v1/product-units/bulk';
    const why = action === 'recall' ? reason.trim() : '';
    const ofProduct = by === 'serial' ? { productId } : {};
    if (items.length > MOST_IN_JSON) {
      const body = new Blob([csvOf(by, items)], { type: 'text/csv' });
      const query = { action, by, ...ofProduct, ...(why === '' ? {} : { reason: why }) };
      return api.post(url, { query, body: body as never });
    }
    const listed = { unitId: { unitIds: items }, serial: { serials: items }, code: { codes: items } }[by];
    return api.post(url, { body: { action, ...listed, ...ofProduct, reason: why || null } });
  }, ['/api/v1/bulk-jobs']);
  const list = useRef<HTMLTextAreaElement>(null);
  const isTooMany = items.length > MOST;
  const hasProduct = by !== 'serial' || productId !== '';
  const choose = (chosen: File | null) => {
    setFile(chosen);
    chosen?.text().then(
      (content) => setRead({ file: chosen, text: content }),
      (error: Error) => {
        setFile((current) => (current === chosen ? null : current));
        notifyError(error);
      },
    );
  };
  const { ns, key } = TEXTS[action];
  const verb = (of: string, count: number) => t(of, { ns, count });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconListCheck size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('listed.open')}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('listed.title')}
        action={verb(`${key}Verb`, items.length)}
        isDangerous={DANGEROUS.has(action)}
        isReady={isRead && items.length > 0 && !isTooMany && hasProduct}
        onConfirm={async () => {
          const { pathname } = location;
          const { id } = await start.mutateAsync();
          // What was written while it was on its way is another list.
          setText((now) => (now === text ? '' : now));
          setReason((now) => (now === reason ? '' : now));
          setFile((now) => (now === file ? null : now));
          // Whoever has left is told of it by the overview.
          if (location.pathname === pathname) onStarted(id);
        }}
      >
        <Stack gap="sm">
          <SegmentedControl
            className="wrapping"
            aria-label={t('listed.what')}
            value={action}
            onChange={(value) => setAction(value as Action)}
            data={ACTIONS.map((value) => ({ value, label: t(`action.${value}.verb`) }))}
          />
          <span>{t(`${key}Text`, { ns })}</span>
          {action === 'recall' && (
            <Textarea
              label={t('recallReason')}
              description={t('recallReasonHint')}
              maxLength={1000}
              autosize
              minRows={1}
              maxRows={4}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
          <Select
            label={t('listed.by')}
            allowDeselect={false}
            value={by}
            onChange={(value) => setBy(value as ListKey)}
            data={LIST_KEYS.map((value) => ({ value, label: t(`listed.keys.${value}`) }))}
          />
          {by === 'serial' && (
            <RemoteSelect
              source={ALL_PRODUCTS}
              clearable
              required
              label={t('product')}
              placeholder={t('listed.findProduct')}
              value={productId}
              onChange={setProduct}
            />
          )}
          <Textarea
            ref={list}
            label={t(`listed.list.${by}`)}
            description={t(`listed.hint.${by}`, { most: formats.number(MOST) })}
            autosize
            minRows={3}
            maxRows={8}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={text}
            error={isTooMany && t('listed.tooMany', { most: formats.number(MOST) })}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <FileField
            label={t('listed.file')}
            placeholder={t('listed.choose')}
            accept=".csv,.txt,.ndjson,.jsonl,text/csv,text/plain"
            value={file}
            onChange={choose}
            clearable
            clearButtonProps={{ 'aria-label': t('clear', { ns: 'common' }) }}
          />
          {strays.length > 0 && (
            <Text size="sm" role="status">
              {t('listed.strays', { number: formats.number(strays.length) })}{' '}
              <bdi className="mono">
                {strays
                  .slice(0, SHOWN_STRAYS)
                  .map((line) => line.slice(0, SHOWN_LETTERS))
                  .join(' · ')}
                {strays.length > SHOWN_STRAYS && ' …'}
              </bdi>
            </Text>
          )}
          {likelier !== null && (
            <Group gap="xs">
              <Text size="sm" role="status">
                {t('listed.likelier', { key: t(`listed.keys.${likelier}`) })}
              </Text>
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  setBy(likelier);
                  // The button goes away, and the focus would with it.
                  list.current?.focus();
                }}
              >
                {t('listed.readSo')}
              </Button>
            </Group>
          )}
        </Stack>
      </Confirm>
    </>
  );
}
