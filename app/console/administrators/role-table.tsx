import { administrators } from '../../../lib/management/resources/administrators'
import { valueLabel } from '../../../lib/server/next/console/form'
import { comparedAreas } from '../../../lib/server/next/console/role-comparison'
import { say } from '../../../lib/text/console'

/** The roles side by side, by area. */
export function RoleTable() {
  const areas = comparedAreas()
  const name = (role: string): string => valueLabel(administrators.update, 'role', role)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than its frame is scrolled with the keyboard.
    <section className="co-table-frame" aria-label={say('administrators.compare.table')} tabIndex={0}>
      <table className="co-table co-roles">
        <thead>
          <tr>
            <th scope="col">{say('administrators.compare.area')}</th>
            {areas[0]?.rights.map(({ role }) => (
              <th key={role} scope="col">
                {name(role)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {areas.map(({ area, rights }) => (
            <tr key={area}>
              <th scope="row">{say(`administrators.area.${area}`)}</th>
              {rights.map(({ role, right }) => (
                <td key={role} data-title={name(role)}>
                  {say(`administrators.right.${right}`)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
