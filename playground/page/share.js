// The scene in the address: #scene=galaxy&set=stars=1000 for one that comes along, and else
// #text=... with its text, packed (deflate) and in base64url. What comes in by an address is data
// that anybody may have written: it is bounded, checked, and refused with a sentence.

export const LONGEST_ADDRESS = 200000, LARGEST_TEXT = 400000, MOST_SETTINGS = 64;
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const NUMBER = '-?[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]{1,3})?';
const SETTING = new RegExp(`^[A-Za-z_][A-Za-z0-9_.]{0,127}=(${NUMBER}|\\[${NUMBER}(, ${NUMBER}){2}\\]|[a-z][a-z0-9-]{0,31})$`);

async function through(bytes, stream, most = Infinity) {
  const pieces = [], reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  let size = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new Error(`it unpacks to more than ${most} bytes`);
    }
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

function toBase64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error('it has characters that are not base64url');
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(bytes, (c) => c.charCodeAt(0));
}

// {scene} or {text, name}, with settings, as what stands behind the #.
export async function pack({scene, text, name, settings = []}) {
  const parts = scene ? [`scene=${scene}`] : [];
  if (!scene) {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > LARGEST_TEXT) throw new Error(`the scene has more than ${LARGEST_TEXT} bytes`);
    if (NAME.test(name ?? '')) parts.push(`name=${name}`);
    parts.push(`text=${toBase64(await through(bytes, new CompressionStream('deflate')))}`);
  }
  const odd = settings.find((setting) => !SETTING.test(setting));
  if (odd !== undefined) throw new Error(`${odd.slice(0, 60)} cannot be put into an address`);
  for (const setting of settings) parts.push(`set=${encodeURIComponent(setting)}`);
  const packed = parts.join('&');
  if (packed.length > LONGEST_ADDRESS) throw new Error('the scene is too long for an address');
  return packed;
}

function decoded(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new Error('it has a broken escape');
  }
}

function readParts(fragment) {
  const found = {settings: []};
  for (const part of fragment.split('&')) {
    const [key, ...rest] = part.split('='), value = decoded(rest.join('='));
    if (key === 'set') found.settings.push(value);
    else if (['scene', 'text', 'name'].includes(key) && !(key in found)) found[key] = value;
    else throw new Error(`it has an unknown part: ${key.slice(0, 40)}`);
  }
  return found;
}

async function readText(packed) {
  let bytes;
  try {
    bytes = await through(fromBase64(packed), new DecompressionStream('deflate'), LARGEST_TEXT);
  } catch (error) {
    throw error.message.startsWith('it ') ? error : new Error('it is damaged: its text does not unpack');
  }
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    throw new Error('its text is no UTF-8');
  }
}

// null without a scene in the address; throws what is wrong with it. known: names that come along.
export async function unpack(fragment, known) {
  if (fragment === '') return null;
  if (fragment.length > LONGEST_ADDRESS) throw new Error('it is too long');
  const {scene, text, name, settings} = readParts(fragment);
  if ((scene === undefined) === (text === undefined)) throw new Error('it names no scene, or two');
  if (scene !== undefined && !known.includes(scene))
    throw new Error(`there is no scene "${scene.slice(0, 40)}"`);
  if (name !== undefined && !NAME.test(name)) throw new Error('its name is no name');
  if (settings.length > MOST_SETTINGS) throw new Error(`it has more than ${MOST_SETTINGS} settings`);
  const odd = settings.find((setting) => !SETTING.test(setting));
  if (odd !== undefined) throw new Error(`"${odd.slice(0, 40)}" is no setting`);
  if (scene !== undefined) return {scene, settings};
  return {text: await readText(text), name: name ?? 'shared', settings};
}
