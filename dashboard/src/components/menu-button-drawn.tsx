import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { buttonLook, type MenuButtonProps } from './menu-button.tsx';

/** Open from the start: it was asked for. */
export function DrawnMenu(props: MenuButtonProps) {
  const { children, head, entries, width } = props;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // In the place of the button that was pressed, and where the focus comes back to.
    button.current?.focus();
    setOpen(true);
  }, []);
  return (
    <Menu
      position="bottom-end"
      opened={isOpen}
      onChange={setOpen}
      {...(width === undefined ? {} : { width })}
    >
      <Menu.Target>
        <ActionIcon ref={button} {...buttonLook(props)}>
          {children}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {head !== undefined && (
          <>
            <Menu.Label>{head}</Menu.Label>
            <Menu.Divider />
          </>
        )}
        {entries.map(({ id, label: words, icon, to, onClick, isCurrent, lang, dir }) => {
          const common = {
            leftSection: icon,
            fw: isCurrent === true ? 650 : 400,
            ...(isCurrent === undefined ? {} : { 'aria-current': isCurrent }),
            ...(lang === undefined ? {} : { lang }),
            ...(dir === undefined ? {} : { dir }),
          };
          return to === undefined ? (
            <Menu.Item key={id} {...common} onClick={onClick}>
              {words}
            </Menu.Item>
          ) : (
            <Menu.Item key={id} {...common} component={Link} to={to}>
              {words}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
