import { Text } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Mark } from './mark.tsx';
import { LanguageMenu, SchemeToggle } from './preferences.tsx';

/** Around the pages for whoever is not signed in: the stone, its streak, and the form. */
export function PublicLayout() {
  const { t } = useTranslation();
  return (
    <div className="gate">
      <aside className="gate-stone">
        <svg
          className="streak mirrored"
          viewBox="0 0 600 900"
          preserveAspectRatio="xMidYMid slice"
          aria-hidden="true"
        >
          <defs>
            <linearGradient id="gold" x1="0" y1="1" x2="1" y2="0">
              <stop offset="0" stopColor="#8a6413" stopOpacity="0" />
              <stop offset="0.35" stopColor="#d39f25" />
              <stop offset="0.7" stopColor="#f0d996" />
              <stop offset="1" stopColor="#e3b23c" stopOpacity="0.1" />
            </linearGradient>
          </defs>
          <path d="M-40 250 210 60 640 190 640-20-40-20Z" fill="#23201c" />
          <path d="M640 540 430 700 640 930Z" fill="#23201c" />
          <g className="streak-line">
            <path d="M-20 760C120 660 330 520 625 330l6 7C340 535 140 668-14 772Z" fill="url(#gold)" />
            <path
              d="M40 745C200 640 380 520 560 402l2 3C390 524 210 648 44 750Z"
              fill="#f8ebc5"
              opacity="0.35"
            />
          </g>
        </svg>
        <div className="rail-brand">
          <Mark size={34} />
          <span style={{ fontSize: '1.2rem' }}>Touchstone</span>
        </div>
        <div className="gate-words">
          <Text fz={26} fw={600} lh={1.25} c="#f4f0e8" maw={380}>
            {t('gate.title')}
          </Text>
          <Text mt="sm" maw={380} c="#b9b2a6">
            {t('gate.text')}
          </Text>
        </div>
      </aside>
      <div className="gate-form">
        <div className="gate-tools">
          <LanguageMenu />
          <SchemeToggle />
        </div>
        <main>
          <Outlet />
        </main>
      </div>
    </div>
  );
}
