import type { ReactNode } from 'react'
import type { ZodType } from 'zod'
import type { Reference } from '../../../lib/management/console-call'
import type { RankedKind } from '../../../lib/management/operations/rank'
import { formGroups } from '../../../lib/server/next/console/form'
import type { Console } from '../../../lib/server/next/console/page'
import { choicesOf } from '../../../lib/server/next/console/pickers'
import { say } from '../../../lib/text/console'
import { CopyableId } from './copy'
import { DeletePanel } from './delete-panel'
import { Facts } from './facts'
import { Forbid } from './forbid'
import { Head } from './head'
import { NewLink } from './links'
import { type Column, Listed, type Listing } from './listing'
import { NotApplied } from './not-applied'
import { consolePage } from './page'
import { Panel } from './panel'
import { SettingsForm } from './settings-form'
import { SettingsPanels } from './settings-panels'
import { Above } from './states'

type Shown = Readonly<Record<string, unknown>> & { name: string }

/** The operations of a resource, whose objects are rows of its pages. */
type Operations<Row> = {
  list: Reference & { answer?: ZodType<Row[]> }
  read: Reference & { answer?: ZodType<Row> }
} & Readonly<Record<'create' | 'update' | 'delete', Reference>>

/** A kind of objects whose pages need no hand: what the three pages show of it. */
export type ResourcePages<Row extends Shown> = {
  path: string
  operations: Operations<Row>
  title: string
  lead: string
  empty: string
  newTitle: string
  /** The member that names an object in addresses. */
  id: keyof Row & string
  nameOf?(row: Row): string
  columns: readonly Column<Row>[]
  /** The query parameter that searches by name, where the list has one. */
  search?: string
  /** Members of the form for something new. */
  newMembers: readonly string[]
  /** Members that the form for something new fixes. */
  newBody?: Readonly<Record<string, unknown>>
  /** Its groups of members have titles `<section>.<group>` (lib/text/console). */
  section: string
  /** Whether an object is the server's own and cannot be changed. */
  isFixed?(row: Row): boolean
  deleteLead: string
  /** Where objects of the kind can hold rights over the server. */
  ranked?: RankedKind
  /** Whom the deletion of the object concerns, in words. */
  affected?(row: Row, console: Console): Promise<string[]>
  /** More panels of one object. */
  more?(row: Row, console: Console): Promise<ReactNode>
}

/** The list of a kind, whose path is the section's. */
export function listingOf<Row extends Shown>(pages: ResourcePages<Row>): Listing<Row> {
  const { path, operations, columns, search, empty, id, nameOf = ({ name }) => name, isFixed } = pages
  return {
    name: path.slice('/console/'.length),
    operation: operations.list,
    ...(search !== undefined && {
      query: ({ q }) => ({ [search]: q }),
      search: { label: say('list.search_name') },
    }),
    columns: [{ title: say('column.name'), cell: (row) => <bdi>{nameOf(row)}</bdi> }, ...columns],
    id: (row) => String(row[id]),
    label: nameOf,
    href: (row) => `${path}/${encodeURIComponent(String(row[id]))}`,
    empty,
    bulk: (console) =>
      console.may(operations.delete) && !isFixed
        ? [{ label: say('bulk.delete'), operation: operations.delete.name, param: 'id', danger: true }]
        : [],
  }
}

export const resourceList = <Row extends Shown>(pages: ResourcePages<Row>) =>
  consolePage(async ({ console, query }) => {
    const { path, operations, title, lead, newTitle } = pages
    return (
      <>
        <Head title={title} lead={lead} />
        {
          await Listed({
            listing: listingOf(pages),
            console,
            requested: query,
            action: console.may(operations.create) && <NewLink href={`${path}/new`} title={newTitle} />,
          })
        }
      </>
    )
  })

export const resourceNew = <Row extends Shown>(pages: ResourcePages<Row>) =>
  consolePage(async ({ console }) => {
    const { path, operations, title, newTitle, newMembers, newBody } = pages
    if (!console.may(operations.create)) throw new Forbid()
    return (
      <>
        <Head title={newTitle} back={{ href: path, title }} />
        <Panel title={newTitle}>
          <SettingsForm
            operation={operations.create}
            members={newMembers}
            {...(newBody && { body: newBody })}
            choices={await choicesOf(operations.create, newMembers, console)}
            submitLabel={say('form.create')}
            next={`${path}/{id}?done=created`}
          />
        </Panel>
      </>
    )
  })

export const resourceDetail = <Row extends Shown>(pages: ResourcePages<Row>) =>
  consolePage(async ({ console: whole, params: { id = '' } }) => {
    const { path, operations, title, section, deleteLead, more, nameOf = ({ name }) => name, ranked } = pages
    const { value: row, tag, notApplied } = await whole.readTagged(operations.read, { params: { id } })
    const console = ranked ? await whole.facing(ranked, id) : { ...whole, isAbove: false }
    const own = pages.isFixed?.(row) ?? false
    const name = nameOf(row)
    const mayDelete = !own && console.may(operations.delete)
    const [further, affected] = await Promise.all([
      more?.(row, console),
      mayDelete ? pages.affected?.(row, console) : [],
    ])
    const groups = formGroups(operations.update, section)
    const choices = await choicesOf(
      operations.update,
      groups.flatMap(({ members }) => members),
      console,
    )
    return (
      <>
        <Head title={name} back={{ href: path, title }} />
        {ranked && console.isAbove && <Above kind={ranked} />}
        <Facts
          facts={[
            [say('column.id'), <CopyableId key="id" value={String(row[pages.id])} />],
            ...pages.columns.map((column) => [column.title, column.cell(row)] as const),
          ]}
        />
        <SettingsPanels
          groups={groups}
          operation={operations.update}
          params={{ id }}
          tag={tag}
          value={row}
          choices={choices}
          allowed={!own && console.may(operations.update)}
        />
        {further}
        <NotApplied paths={notApplied} />
        {mayDelete && (
          <DeletePanel
            operation={operations.delete}
            params={{ id }}
            tag={tag}
            lead={deleteLead}
            confirm={name}
            affected={affected ?? []}
            to={path}
          />
        )}
      </>
    )
  })
