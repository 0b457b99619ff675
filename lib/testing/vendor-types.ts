// The members and enumerations of the vendor's Management API, read from the type definitions of its SDK, so that tests derive from
// them what a body and a tenant file may contain.
import { readFileSync } from 'node:fs'
import ts from 'typescript-5'

const FILES = ['types/types.d.ts', 'requests/requests.d.ts'].map(
  (name) => new URL(`../../node_modules/auth0-management/dist/cjs/management/api/${name}`, import.meta.url),
)

/** Path of a member (`options.shields[]`, `metadata.*`) → the values that its type names. */
export type Enumerations = ReadonlyMap<string, ReadonlySet<string | boolean>>

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.VariableDeclaration

const declarations = (): ReadonlyMap<string, Declaration[]> => {
  const found = new Map<string, Declaration[]>()
  const visit = (node: ts.Node, namespace: string): void =>
    node.forEachChild((child) => {
      if (ts.isModuleDeclaration(child) && child.body) visit(child.body, `${namespace}${child.name.text}.`)
      for (const each of declaredBy(child)) {
        const name = `${namespace}${each.name.getText()}`
        found.set(name, [...(found.get(name) ?? []), each])
      }
    })
  for (const file of FILES)
    visit(ts.createSourceFile(file.pathname, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true), '')
  return found
}

const declaredBy = (node: ts.Node): readonly Declaration[] => {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return [node]
  return ts.isVariableStatement(node) ? node.declarationList.declarations : []
}

/** Path of a member, at every depth → its type as it is written. */
export type MemberTypes = ReadonlyMap<string, string>

type VendorTypes = {
  enumerationsOf(type: string): Enumerations
  membersOf(type: string): MemberTypes
  typesNamed(pattern: RegExp): string[]
}

export function vendorTypes(): VendorTypes {
  const declared = declarations()
  return {
    enumerationsOf: (type) => walked(type, declared).values,
    membersOf: (type) => walked(type, declared).members,
    typesNamed: (pattern) => [...declared.keys()].filter((name) => pattern.test(name)),
  }
}

function walked(
  root: string,
  declared: ReadonlyMap<string, Declaration[]>,
): { values: Enumerations; members: MemberTypes } {
  const found = new Map<string, Set<string | boolean>>()
  const members = new Map<string, string>()
  const put = (path: string, ...values: (string | boolean)[]): void => {
    found.set(path, new Set([...(found.get(path) ?? []), ...values]))
  }
  const readType = (type: ts.TypeNode | undefined, path: string, outer: readonly string[]): void => {
    if (type === undefined) return
    if (ts.isParenthesizedTypeNode(type)) readType(type.type, path, outer)
    else if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type))
      for (const part of type.types) readType(part, path, outer)
    else if (ts.isArrayTypeNode(type)) readType(type.elementType, `${path}[]`, outer)
    else if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) put(path, type.literal.text)
    else if (type.kind === ts.SyntaxKind.BooleanKeyword) put(path, true, false)
    else if (ts.isTypeLiteralNode(type)) readMembers(type.members, path, outer)
    else if (ts.isTypeReferenceNode(type)) readReference(type, path, outer)
  }
  const readReference = (type: ts.TypeReferenceNode, path: string, outer: readonly string[]): void => {
    const name = nameOf(type.typeName)
    const [first, second] = type.typeArguments ?? []
    if (name === 'Record') readType(second, `${path}.*`, outer)
    else if (name === 'Array') readType(first, `${path}[]`, outer)
    else readNamed(name, path, outer)
  }
  const readMembers = (elements: ts.NodeArray<ts.TypeElement>, path: string, outer: readonly string[]): void => {
    for (const member of elements) {
      if (!ts.isPropertySignature(member)) continue
      const place = path === '' ? textOf(member) : `${path}.${textOf(member)}`
      members.set(place, member.type?.getText() ?? '')
      readType(member.type, place, outer)
    }
  }
  const readNamed = (name: string, path: string, outer: readonly string[]): void => {
    if (outer.includes(name)) return
    for (const each of declared.get(name) ?? []) readDeclaration(each, path, [...outer, name])
  }
  const readDeclaration = (each: Declaration, path: string, outer: readonly string[]): void => {
    if (ts.isTypeAliasDeclaration(each)) readType(each.type, path, outer)
    else if (ts.isInterfaceDeclaration(each)) {
      readMembers(each.members, path, outer)
      for (const { expression } of (each.heritageClauses ?? []).flatMap(({ types }) => [...types]))
        readNamed(nameOf(expression), path, outer)
    } else if (each.type && ts.isTypeLiteralNode(each.type)) {
      // The members of a constant are the values of the type with its name.
      for (const member of each.type.members) if (ts.isPropertySignature(member)) readType(member.type, path, outer)
    }
  }
  readNamed(root, '', [])
  return { values: found, members }
}

const nameOf = (node: ts.Node): string => node.getText().replace(/^Management\./, '')

const textOf = ({ name }: ts.PropertySignature): string => (ts.isStringLiteral(name) ? name.text : name.getText())
