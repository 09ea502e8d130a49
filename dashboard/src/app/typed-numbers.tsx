import { MantineThemeProvider, type NumberInputProps } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { decimalSeparatorOf, regional } from '../i18n/phrases.ts';

/** Numbers stand in their fields as the language writes them, 0,5 in German; a point and a comma are both taken. */
export function TypedNumbers({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation();
  const theme = useMemo(() => {
    const decimalSeparator = decimalSeparatorOf(regional(i18n.language, navigator.languages));
    const defaultProps: Partial<NumberInputProps> = { decimalSeparator };
    return { components: { NumberInput: { defaultProps } } };
  }, [i18n.language]);
  return <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>;
}
