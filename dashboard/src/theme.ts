/** Dark stone, and the streak of gold that is rubbed on it. Colours are warm; gold marks what matters and nothing else. */
import {
  createTheme,
  defaultVariantColorsResolver,
  type BadgeProps,
  type ButtonProps,
  type CSSVariablesResolver,
  type DrawerProps,
  type MantineColorsTuple,
  type ModalProps,
  type NumberInputProps,
  type PaperProps,
  type SelectProps,
  type TableProps,
  type TooltipProps,
} from '@mantine/core';

const stone: MantineColorsTuple = [
  '#edeae4',
  '#c8c2b8',
  '#a8a195',
  '#7e776c',
  '#4a453d',
  '#3a362f',
  '#2b2823',
  '#1c1a17',
  '#151310',
  '#0e0c0a',
];
const chalk: MantineColorsTuple = [
  '#faf9f7',
  '#f4f2ee',
  '#e9e6e0',
  '#dcd8d0',
  '#c9c4ba',
  '#a39d92',
  '#69645b',
  '#565149',
  '#3b3732',
  '#22201c',
];
const gold: MantineColorsTuple = [
  '#fdf7e6',
  '#f8ebc5',
  '#f0d996',
  '#e8c765',
  '#e3b23c',
  '#d39f25',
  '#b5851a',
  '#8a6413',
  '#6b4d11',
  '#4b360e',
];

/** By name: a component itself would be loaded before the first screen, whichever screen shows it. */
const defaults = <Props>(defaultProps: Partial<Props>) => ({ defaultProps });

export const theme = createTheme({
  variantColorResolver(input) {
    const colors = defaultVariantColorsResolver(input);
    const isPrimary = input.color === undefined || input.color === 'gold';
    return input.variant === 'filled' && isPrimary ? { ...colors, color: 'var(--on-primary)' } : colors;
  },
  colors: { dark: stone, gray: chalk, gold },
  primaryColor: 'gold',
  primaryShade: { light: 7, dark: 4 },
  black: '#22201c',
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "Noto Sans JP", "Noto Sans Arabic", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Menlo, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.845rem', md: '0.925rem', lg: '1.05rem', xl: '1.25rem' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.05rem', lineHeight: '1.35' },
      h3: { fontSize: '0.925rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '9px', lg: '14px', xl: '22px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: defaults<ButtonProps>({ size: 'sm' }),
    Badge: defaults<BadgeProps>({ radius: 'sm', tt: 'none', fw: 550 }),
    Paper: defaults<PaperProps>({ withBorder: true, radius: 'md' }),
    // Another number than the one that was typed is never sent: the service says which there may be.
    NumberInput: defaults<NumberInputProps>({ clampBehavior: 'none' }),
    // Where one types, that takes the place of what was chosen, and Enter takes the first that fits.
    Select: defaults<SelectProps>({
      selectFirstOptionOnChange: true,
      onClick: ({ currentTarget }) => {
        if (!currentTarget.readOnly) currentTarget.select();
      },
    }),
    Table: defaults<TableProps>({ verticalSpacing: 8, horizontalSpacing: 'md' }),
    Tooltip: defaults<TooltipProps>({ withArrow: true, openDelay: 250 }),
    // The head of a dialog is no banner of the page.
    Drawer: defaults<DrawerProps>({
      attributes: { header: { role: 'none' } },
    }),
    Modal: defaults<ModalProps>({ radius: 'md', centered: true, attributes: { header: { role: 'none' } } }),
  },
});

/** Buttons are stone by day and gold by night; text on either passes 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#faf9f7',
    '--mantine-color-anchor': '#7a5710',
    '--mantine-color-dimmed': '#69645b',
    '--mantine-color-placeholder': '#757066',
    '--mantine-color-error': '#b42318',
    '--mantine-color-gold-filled': '#2b2823',
    '--mantine-color-gold-filled-hover': '#453f37',
    '--mantine-color-default-border': '#dcd8d0',
    '--surface': '#ffffff',
    '--surface-raised': '#ffffff',
    '--on-primary': '#ffffff',
    '--focus': '#8a6413',
    '--grid': '#e9e6e0',
    '--land': '#e2ddd3',
    '--shore': '#faf9f7',
  },
  dark: {
    '--mantine-color-body': '#151310',
    '--mantine-color-text': '#e4e0d8',
    '--mantine-color-anchor': '#e8c765',
    '--mantine-color-dimmed': '#a8a195',
    '--mantine-color-placeholder': '#9a9387',
    '--mantine-color-error': '#ff8f80',
    '--mantine-color-gray-light': '#332f29',
    '--mantine-color-gray-light-hover': '#3a362f',
    '--mantine-color-gold-filled': '#e3b23c',
    '--mantine-color-gold-filled-hover': '#f0c75e',
    '--mantine-color-default-border': '#332f29',
    '--surface': '#1c1a17',
    '--surface-raised': '#23201c',
    '--on-primary': '#1c1a17',
    '--focus': '#e3b23c',
    '--grid': '#2b2823',
    '--land': '#37322b',
    '--shore': '#151310',
  },
});
