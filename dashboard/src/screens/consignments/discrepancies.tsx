import { Anchor, Button, List, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { ApiError } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { keyOf } from '../../api/use-api.ts';
import { Loaded } from '../../components/states.tsx';
import { isFocusFree } from '../../components/use-focus-return.ts';
import { useFormats } from '../../i18n/format.ts';
import { surplusOf, type Consignment } from './status.tsx';

const PATH = '/api/v1/consignments/{id}/units';
/** Units that are named at first, and with each further press. */
const PAGE = 50;

interface Page {
  data: Schemas['ConsignmentUnit'][];
  nextCursor: string | null;
}

function Named({ id, condition, count }: { id: string; condition: 'missing' | 'damaged'; count: number }) {
  const { t } = useTranslation('consignments');
  const pages = useInfiniteQuery<Page, ApiError, { pages: Page[] }, readonly unknown[], string | undefined>({
    // Not as a table's pages of the same list are kept, which are one answer each.
    queryKey: keyOf(PATH, { path: { id }, query: { named: condition } }),
    queryFn: ({ pageParam: cursor, signal }) =>
      api.get(PATH, {
        path: { id },
        query: { condition, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
        signal,
      }),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const list = useRef<HTMLOListElement & HTMLUListElement>(null);
  const named = useRef(0);
  const { hasNextPage } = pages;
  // With the last of them goes the button: who pressed it goes on at the first that it has brought.
  useLayoutEffect(() => {
    if (!hasNextPage && named.current > 0 && isFocusFree())
      list.current?.querySelectorAll('a')[named.current]?.focus();
  }, [hasNextPage]);
  const title = t(`${condition}Units`, { count });
  return (
    <section aria-label={title}>
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      <Loaded query={pages}>
        {({ pages: read }) => {
          const units = read.flatMap(({ data }) => data);
          return (
            <>
              <List ref={list} listStyleType="none" spacing={4} size="sm" style={{ columns: '11rem' }}>
                {units.map((unit) => (
                  <List.Item key={unit.id}>
                    <Anchor component={Link} to={`/units/${unit.id}`} className="mono" inherit>
                      {unit.serial}
                    </Anchor>
                    {unit.lot !== null && (
                      <Text span inherit c="dimmed">
                        {' '}
                        {unit.lot}
                      </Text>
                    )}
                  </List.Item>
                ))}
              </List>
              {hasNextPage ? (
                <Button
                  mt="xs"
                  variant="default"
                  size="compact-sm"
                  loading={pages.isFetchingNextPage}
                  onClick={() => {
                    named.current = units.length;
                    void pages.fetchNextPage();
                  }}
                >
                  {t('showMore')}
                </Button>
              ) : (
                // Only of what no page names: a count tells how many are missing, not which.
                units.length < count && (
                  <Text size="sm" c="dimmed" mt={4}>
                    {t('unnamedUnits', { count: count - units.length })}
                  </Text>
                )
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** What the distributor said was not there, not whole, or too many. */
export function Discrepancies({ consignment }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  const formats = useFormats();
  const { id, unitCount, receipt } = consignment;
  const { missingCount = 0, damagedCount = 0, counted = null } = receipt ?? {};
  const surplus = surplusOf(consignment);
  const isCountOff = counted !== null && counted !== unitCount;
  const countedText = isCountOff
    ? t('countedText', { counted: formats.number(counted), sent: formats.number(unitCount) })
    : '';
  return (
    <Paper p="lg">
      <Title order={2} size="h3" mb={4}>
        {t('discrepancies')}
      </Title>
      <Text size="sm" c="dimmed" maw={720} mb="md">
        {t('discrepanciesLead')} {surplus === 0 && countedText}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {surplus > 0 && (
          <section aria-label={t('surplusUnits', { count: surplus })}>
            <Title order={3} size="h4" mb="xs">
              {t('surplusUnits', { count: surplus })}
            </Title>
            <Text size="sm">
              {countedText} {t('surplusText')}
            </Text>
          </section>
        )}
        {missingCount > 0 && <Named id={id} condition="missing" count={missingCount} />}
        {damagedCount > 0 && <Named id={id} condition="damaged" count={damagedCount} />}
      </SimpleGrid>
    </Paper>
  );
}
