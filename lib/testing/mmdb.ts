// Writes a small database in MaxMind's format (MaxMind DB File Format Specification 2.0): addresses of IPv4, with a record for each.
const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')

type Value = string | number | Value[] | { [name: string]: Value }

/** Strings up to 284 bytes; whole numbers as uint32, others as double. */
function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)])
  if (typeof value === 'object') {
    const members = Object.entries(value)
    return Buffer.concat([control(7, members.length), ...members.flatMap(([key, each]) => [encode(key), encode(each)])])
  }
  const isWhole = Number.isInteger(value) && value >= 0
  const bytes = Buffer.alloc(isWhole ? 4 : 8)
  if (isWhole) bytes.writeUInt32BE(value)
  else bytes.writeDoubleBE(value)
  return Buffer.concat([control(isWhole ? 6 : 3, bytes.length), bytes])
}

function control(type: number, size: number): Buffer {
  const [inline, more] = size < 29 ? [size, []] : [29, [size - 29]]
  return Buffer.from(type > 7 ? [inline, type - 7, ...more] : [(type << 5) | inline, ...more])
}

type Node = [number | Node | null, number | Node | null]

/** @param records by address */
export function writeMmdb(records: Readonly<Record<string, Value>>): Buffer {
  const root: Node = [null, null]
  const data: Buffer[] = []
  let at = 0
  for (const [address, record] of Object.entries(records)) {
    const bits = address.split('.').flatMap((part) => [...Number(part).toString(2).padStart(8, '0')].map(Number))
    let node = root
    for (const bit of bits.slice(0, -1)) {
      const next = (node[bit as 0 | 1] as Node | null) ?? [null, null]
      node[bit as 0 | 1] = next
      node = next
    }
    node[bits.at(-1) as 0 | 1] = at
    const encoded = encode(record)
    data.push(encoded)
    at += encoded.length
  }
  const nodes: Node[] = []
  const number = (node: Node): void => {
    nodes.push(node)
    for (const child of node) if (Array.isArray(child)) number(child)
  }
  number(root)
  const tree = Buffer.alloc(nodes.length * 6)
  nodes.forEach((node, index) => {
    node.forEach((child, side) => {
      const target =
        child === null ? nodes.length : Array.isArray(child) ? nodes.indexOf(child) : nodes.length + 16 + child
      tree.writeUIntBE(target, index * 6 + side * 3, 3)
    })
  })
  const metadata = encode({
    ...{ node_count: nodes.length, record_size: 24, ip_version: 4, database_type: 'GeoLite2-City', languages: ['en'] },
    ...{
      binary_format_major_version: 2,
      binary_format_minor_version: 0,
      build_epoch: 1,
      description: { en: 'A test' },
    },
  })
  return Buffer.concat([tree, Buffer.alloc(16), ...data, MARKER, metadata])
}
