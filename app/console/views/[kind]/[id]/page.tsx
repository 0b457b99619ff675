import type { Metadata } from 'next'
import Link from 'next/link'
import { readArrived } from '../../../../../lib/server/next/console/session'
import {
  VIEWS,
  viewedKind,
  viewedObject,
  viewsOf,
  viewText,
} from '../../../../../lib/server/next/console/views/object-views'
import { say } from '../../../../../lib/text/console'
import { Copy } from '../../../_parts/copy'
import { Nowhere } from '../../../_parts/forbid'
import { Head } from '../../../_parts/head'
import { consolePage } from '../../../_parts/page'
import { Panel } from '../../../_parts/panel'
import { Empty } from '../../../_parts/states'
import { viewPath } from '../../../_parts/view-link'

export const metadata: Metadata = { title: say('views.title') }

export default consolePage(async ({ console, params: { kind = '', id = '' }, query }) => {
  if (!viewedKind(kind)) throw new Nowhere()
  const viewed = await viewedObject(kind, id, console)
  const views = viewsOf(kind)
  const view = VIEWS.find((each) => each === query.as && views.includes(each)) ?? 'raw'
  const file = await (await readArrived()).runtime.tenantFile()
  const text = await viewText(view, kind, viewed, id, {
    console,
    baseUrl: console.baseUrl,
    exportSection: file.exportSection,
    writeFile: file.write,
  })
  return (
    <>
      <Head title={say('views.title')} back={{ href: viewed.href, title: viewed.title }} />
      <nav className="co-tabs" aria-label={say('views.title')}>
        <ul className="co-tabs-row">
          {views.map((each) => (
            <li key={each}>
              <Link
                className="co-tab"
                href={viewPath(kind, id, each)}
                prefetch={false}
                aria-current={each === view ? 'page' : undefined}
              >
                {say(`views.${each}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Panel title={say(`views.${view}`)} lead={say(`views.${view}.lead`)}>
        {text === '' ? (
          <Empty title={say('views.none')} />
        ) : (
          <>
            <p>
              <Copy value={text} />
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
            <pre className="co-view" tabIndex={0} dir="ltr">
              <code>{text}</code>
            </pre>
          </>
        )}
      </Panel>
    </>
  )
})
