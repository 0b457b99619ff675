// https://nodejs.org/docs/latest-v22.x/api/util.html#utiltypes
const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1)
const isOf = (tag) => (value) => typeof value === 'object' && value !== null && tagOf(value) === tag
const TAGS = {
  ...{ isDate: 'Date', isRegExp: 'RegExp', isMap: 'Map', isSet: 'Set', isWeakMap: 'WeakMap', isWeakSet: 'WeakSet' },
  ...{
    isPromise: 'Promise',
    isArrayBuffer: 'ArrayBuffer',
    isSharedArrayBuffer: 'SharedArrayBuffer',
    isDataView: 'DataView',
  },
  ...{ isMapIterator: 'Map Iterator', isSetIterator: 'Set Iterator', isGeneratorObject: 'Generator' },
  ...{ isNumberObject: 'Number', isStringObject: 'String', isBooleanObject: 'Boolean' },
  ...{ isSymbolObject: 'Symbol', isBigIntObject: 'BigInt', isArgumentsObject: 'Arguments' },
}
const TYPED = [
  'Int8',
  'Uint8',
  'Uint8Clamped',
  'Int16',
  'Uint16',
  'Int32',
  'Uint32',
  'Float32',
  'Float64',
  'BigInt64',
  'BigUint64',
]
const typedName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get

export const types = {
  ...Object.fromEntries(Object.entries(TAGS).map(([name, tag]) => [name, isOf(tag)])),
  ...Object.fromEntries(TYPED.map((name) => [`is${name}Array`, (value) => typedName.call(value) === `${name}Array`])),
  isTypedArray: (value) => typedName.call(value) !== undefined,
  isArrayBufferView: (value) => ArrayBuffer.isView(value),
  isAnyArrayBuffer: (value) => types.isArrayBuffer(value) || types.isSharedArrayBuffer(value),
  isBoxedPrimitive: (value) =>
    ['isNumberObject', 'isStringObject', 'isBooleanObject', 'isSymbolObject', 'isBigIntObject'].some((name) =>
      types[name](value),
    ),
  isNativeError: (value) => value instanceof Error,
  isAsyncFunction: (value) => typeof value === 'function' && tagOf(value) === 'AsyncFunction',
  isGeneratorFunction: (value) => typeof value === 'function' && /GeneratorFunction$/.test(tagOf(value)),
  isModuleNamespaceObject: (value) => tagOf(value) === 'Module',
  isProxy: () => false,
  isExternal: () => false,
  isKeyObject: (value) => tagOf(value) === 'KeyObject',
  isCryptoKey: (value) => tagOf(value) === 'CryptoKey',
}
