import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { notifyError } from './notify.ts';

export interface MenuEntry {
  id: string;
  label: ReactNode;
  icon?: ReactNode;
  /** Where it leads, or what it does. */
  to?: string;
  onClick?: () => void;
  /** Of several, the one that holds. */
  isCurrent?: boolean;
  /** Of the label, where it is not that of the page. */
  lang?: string;
  dir?: 'ltr' | 'rtl';
}

export interface MenuButtonProps extends Pick<ActionIconProps, 'color' | 'radius'> {
  label: string;
  /** What the button shows. */
  children: ReactNode;
  /** Above the entries. */
  head?: ReactNode;
  entries: readonly MenuEntry[];
  width?: number;
}

/** Of the button, before its menu is there and after. */
export const buttonLook = ({ label, color, radius }: MenuButtonProps) => ({
  variant: 'subtle',
  size: 'lg',
  'aria-label': label,
  title: label,
  ...(color === undefined ? {} : { color }),
  ...(radius === undefined ? {} : { radius }),
});

const load = () => import('./menu-button-drawn.tsx');

/** A button with a menu, which is loaded when somebody reaches for it. */
export function MenuButton(props: MenuButtonProps) {
  const [Drawn, setDrawn] = useState<Awaited<ReturnType<typeof load>>['DrawnMenu'] | null>(null);
  const isOpening = useRef(false);
  if (Drawn !== null) return <Drawn {...props} />;
  const open = async () => {
    if (isOpening.current) return;
    isOpening.current = true;
    try {
      const { DrawnMenu } = await load();
      setDrawn(() => DrawnMenu);
    } catch (error) {
      notifyError(error);
    } finally {
      isOpening.current = false;
    }
  };
  return (
    <ActionIcon
      {...buttonLook(props)}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void load().catch(() => undefined)}
      onClick={() => void open()}
    >
      {props.children}
    </ActionIcon>
  );
}
