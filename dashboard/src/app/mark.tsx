/** The stone with its streak of gold. */
export const Mark = ({ size = 28 }: { size?: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" style={{ flex: 'none' }}>
    <path d="M9 3.5 23 3l6 9.5-2.6 12.2L16.6 29 6 25.4 3 13.6Z" fill="#38332b" />
    <path d="M9 3.5 23 3l6 9.5-13.4-1.2Z" fill="#575046" />
    <path d="M8.6 22.4 22.8 11l1.9 2-14 11.3Z" fill="#e3b23c" />
  </svg>
);
