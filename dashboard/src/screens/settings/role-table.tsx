import { Paper, Table, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/states.tsx';

type Grants = Schemas['RoleGrants'];

/** What each role may do, as the service decides it. */
export function RoleTable() {
  const roles = useApi('/api/v1/roles', {}, { staleTime: Number.POSITIVE_INFINITY });
  return <Loaded query={roles}>{({ data }) => <Matrix roles={data} />}</Loaded>;
}

function Matrix({ roles }: { roles: Grants[] }) {
  const { t } = useTranslation('settings');
  // The first role has everything there is.
  const rights: readonly string[] = [...roles[0]!.scopes, ...roles[0]!.permissions];
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <Table.ScrollContainer minWidth={310} type="native" tabIndex={0}>
        <Table aria-label={t('roles.title')} className="compact">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('roles.may')}</Table.Th>
              {roles.map(({ role }) => (
                <Table.Th key={role} scope="col" ta="center">
                  {t(`roles.${role}`, { ns: 'common' })}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rights.map((right) => (
              <Table.Tr key={right}>
                <Table.Th scope="row" fw={450}>
                  {t(`rights.${right.replaceAll('.', '_')}`)}
                </Table.Th>
                {roles.map(({ role, scopes, permissions }) => {
                  const has = ([...scopes, ...permissions] as string[]).includes(right);
                  return (
                    <Table.Td key={role} ta="center">
                      {has ? (
                        <IconCheck size={17} role="img" aria-label={t('roles.yes')} />
                      ) : (
                        <Text span c="dimmed" aria-label={t('roles.no')} role="img">
                          –
                        </Text>
                      )}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}
