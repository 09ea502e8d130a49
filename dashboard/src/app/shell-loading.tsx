import { ScreenLoading } from '../components/states.tsx';

/** The screen's grey rows where they will be: below the head and beside the rail, which are not there yet. */
export const ShellLoading = () => (
  <div className="shell">
    <div className="rail" aria-hidden />
    <div className="shell-content">
      <div className="page">
        <ScreenLoading />
      </div>
    </div>
  </div>
);
