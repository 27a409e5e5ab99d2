import { Page } from '../../kit/index.ts';

/** What has to be done today. */
export default function Overview() {
  return (
    <Page title="Overview">
      <p>…</p>
    </Page>
  );
}
