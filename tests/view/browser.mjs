// browser.mjs MOTE CLIENTS [PICTURES]: the page of `mote view` in Chromium, as hands and eyes meet it. CLIENTS is the
// folder of scripts/npm-clients.sh. With PICTURES, screenshots go there. Ends with 77 where there is no browser.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [, , mote, clients, pictures] = process.argv;
const library = join(resolve(clients), 'node_modules/playwright-core/index.mjs');
const browserPath = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => spawnSync('sh', ['-c', `command -v ${name}`]).stdout.toString().trim()).find(Boolean);

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}
if (!browserPath) skip('there is no Chromium');
if (!existsSync(library)) skip('there is no playwright-core; scripts/npm-clients.sh gets it');
if (spawnSync(mote, ['info']).stdout.toString().includes('no view in the browser')) skip('this build has no civetweb');
const {chromium} = await import(pathToFileURL(library));

// Three balls at known places, before a black sky; and a jet that one slider feeds.
const PLACES = {red: [-1.2, 0.5, 0], green: [0, -0.6, 1], blue: [1.5, 0.9, -1]};
const ball = (name) => `{ name: "${name}", look: { profile: "sphere", color: [${['red', 'green', 'blue'].map((n) => (n === name ? 1 : 0))}] } }`;
const source = (name) => `{ name: "${name}", system: "${name}", rate: 0, burst: 1, radius: 0.15, at: [${PLACES[name]}] }`;
const SCENE = `{ mote: 1,
  params: { rate: 200 },
  world: { fps: 50, max_step: 0.02, duration: 100, gravity: [0, 0, 0] },
  systems: [${Object.keys(PLACES).map(ball).join(', ')},
    { name: "jet", look: { color: { by: "speed", map: "viridis", range: [0, 2], title: "speed (m/s)" } } }],
  emitters: [${Object.keys(PLACES).map(source).join(', ')},
    { name: "jet", system: "jet", rate: "=rate", at: [0, -1.2, 0], velocity: [0, 0, -1], spread: 0.2, lifetime: 2 }],
  forces: [{ name: "air", type: "drag", systems: ["jet"], linear: 0.5 }],
  probes: [{ name: "all", type: "total", system: "jet" }],
  camera: { from: [0, 0, 6], to: [0, 0, 0], fov: 40 },
  render: { sky: { horizon: [0, 0, 0], zenith: [0, 0, 0] }, bloom: 0, tone: "linear" },
}
`;
const folder = mkdtempSync(join(tmpdir(), 'mote-browser-')), scene = join(folder, 'balls.json5');
const WIDTH = 960, HEIGHT = 540;

// ---- the program, the browser ----

async function show(...more) {
  const program = spawn(resolve(mote), ['view', scene, '--no-open', ...more], {stdio: ['ignore', 'pipe', 'ignore']});
  const address = await new Promise((done, fail) => {
    let text = '';
    program.stdout.on('data', (data) => (text += data).includes('\n') && done(text.split('\n')[0]));
    program.on('exit', () => fail(new Error('mote view has ended')));
  });
  return {address, end: () => new Promise((done) => (program.removeAllListeners('exit'), program.on('exit', done), program.kill('SIGINT')))};
}

const browser = await chromium.launch({executablePath: browserPath, args: [
  '--headless=new', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking', '--no-first-run']});

async function open(address, {width = WIDTH, height = HEIGHT, heard = []} = {}) {
  const page = await browser.newPage({viewport: {width, height}});
  page.heard = heard;
  page.setDefaultTimeout(150000); // a busy machine is slow, not wrong
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && heard.push(message.text()));
  page.on('pageerror', (error) => heard.push(error.stack));
  await page.goto(address);
  await page.waitForFunction(() => window.shownFrame >= 0, null, {timeout: 150000});
  return page;
}

const state = (page) => page.evaluate(() => ({frame: window.shownFrame, clock: document.querySelector('#timeline output').textContent,
                                              running: document.querySelector('#timeline .play').getAttribute('aria-label') === 'pause'}));
const until = (page, test, argument) => page.waitForFunction(test, argument, {timeout: 150000});
const tab = (page, name) => page.getByRole('tab', {name, exact: true}).click();

async function look(page, name) {
  if (pictures) await page.screenshot({path: join(pictures, `${name}.png`), timeout: 120000});
}

// Where the renderer would put a place: the camera is at (0, 0, 6), looks along -z, 40 degrees from bottom to top.
function pixelOf([x, y, z], width, height) {
  const focal = height / 2 / Math.tan(20 * Math.PI / 180), depth = 6 - z;
  return [width / 2 + focal * x / depth, height / 2 - focal * y / depth, focal * 0.15 / depth];
}

// Colours of the view at places, read in the same breath as it is drawn.
const colorsAt = (page, places) => page.evaluate((all) => {
  const {view} = window.mote, copy = document.createElement('canvas'), {canvas} = view;
  view.draw();
  copy.width = canvas.width, copy.height = canvas.height;
  const pen = copy.getContext('2d', {willReadFrequently: true}), scale = canvas.width / canvas.clientWidth;
  pen.drawImage(canvas, 0, 0);
  return all.map(([x, y]) => [...pen.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data]);
}, places);

// ---- tests ----

const tests = {
  async knownParticlesAreAtKnownPixels(page) {
    await page.getByLabel('step', {exact: true}).click(); // bursts are born in the first step
    await until(page, () => window.shownFrame === 1);
    const names = Object.keys(PLACES), spots = names.map((name) => pixelOf(PLACES[name], WIDTH, HEIGHT));
    const inside = await colorsAt(page, spots), beside = await colorsAt(page, spots.map(([x, y, r]) => [x + 1.25 * r + 2, y]));
    const edges = await colorsAt(page, spots.flatMap(([x, y, r]) => [[x + 0.85 * r, y], [x, y - 0.85 * r]]));
    names.forEach((name, i) => {
      assert.ok(inside[i][i] > 120 && inside[i][(i + 1) % 3] < 20, `${name}: ${inside[i]}`);
      assert.ok(Math.max(...beside[i].slice(0, 3)) < 12, `beside ${name}: ${beside[i]}`);
      for (const edge of edges.slice(2 * i, 2 * i + 2)) assert.ok(edge[i] > 30, `edge of ${name}: ${edge}`);
    });
    await look(page, 'balls');
  },

  async aClickReadsAParticle(page) {
    const [x, y] = pixelOf(PLACES.green, WIDTH, HEIGHT);
    await page.mouse.click(x, y);
    await until(page, () => /green, particle/.test(document.getElementById('particle').textContent));
    const text = await page.locator('#particle').innerText();
    assert.match(text, /position\s+0, -0\.6, 1\s+m/);
    const ring = await page.locator('#ring').boundingBox();
    assert.ok(Math.abs(ring.x + ring.width / 2 - x) < 2 && Math.abs(ring.y + ring.height / 2 - y) < 2, JSON.stringify(ring));
    await look(page, 'particle');
    await page.mouse.click(20, 300); // nothing is there
    await until(page, () => /Click a particle/.test(document.getElementById('particle').textContent));
  },

  async timeStopsStepsAndGoesBack(page) {
    await page.locator('#view').focus();
    await page.keyboard.press(' ');
    await until(page, () => document.querySelector('#timeline .play').getAttribute('aria-label') === 'pause');
    await until(page, () => window.shownFrame > 12);
    await page.keyboard.press(' ');
    await until(page, () => document.querySelector('#timeline .play').getAttribute('aria-label') === 'play');
    await until(page, () => window.shownFrame === Number(/frame (\d+)/.exec(document.querySelector('#timeline output').textContent)[1]));
    const stood = (await state(page)).frame;
    await page.getByLabel('step', {exact: true}).click();
    await until(page, (frame) => window.shownFrame === frame + 1, stood);
    await page.keyboard.press(',');
    await until(page, (frame) => window.shownFrame <= frame, stood);
    await page.locator('#timeline input[type=range]').evaluate((slider) => (slider.value = 0, slider.dispatchEvent(new Event('input')), slider.dispatchEvent(new Event('change'))));
    await until(page, () => window.shownFrame === 0);
    await page.getByLabel('restart').click();
    await until(page, () => /frame 0 /.test(document.querySelector('#timeline output').textContent));
  },

  async slidersChangeTheRun(page) {
    await tab(page, 'controls');
    const slider = page.getByLabel('rate', {exact: true}).first();
    assert.match(await page.locator('.item', {has: page.getByLabel('rate', {exact: true})}).first().getAttribute('title'), /starts anew/);
    const air = page.locator('.item', {has: page.getByLabel('linear', {exact: true})});
    assert.match(await air.getAttribute('title'), /unit: 1\/s[^]*changes the running world/);
    await slider.focus();
    for (let i = 0; i < 40; ++i) await page.keyboard.press('ArrowLeft');
    await page.waitForTimeout(400);
    const rate = Number(await slider.inputValue());
    assert.ok(rate < 200, String(rate));
    for (let i = 0; i < 50; ++i) await page.evaluate(() => window.mote.socket.ask('step', {number: 1}));
    await until(page, () => window.shownFrame === 50);
    const particles = await page.evaluate(() => window.mote.view.frame.systems.find((s) => s.name === 'jet').count);
    assert.ok(Math.abs(particles - rate) <= 2, `${particles} particles after a second at ${rate} a second`);
    await tab(page, 'plots');
    await until(page, () => document.querySelectorAll('#plots canvas').length > 3);
    assert.match(await page.locator('#plots').innerText(), /count \d+/);
    await tab(page, 'controls');
    await air.getByLabel('linear, as a number').fill('3.5'); // changes the running world, which goes on
    await page.keyboard.press('Enter');
    await page.waitForTimeout(600);
    await page.locator('#view').focus();
    assert.equal((await state(page)).frame, 50);
    assert.equal(await air.getByLabel('linear', {exact: true}).inputValue(), '3.5');
    await page.getByRole('button', {name: 'reset'}).click();
    await until(page, () => document.querySelector('[aria-label="rate"]').value === '200');
    await until(page, () => document.querySelector('[aria-label="linear"]').value === '0.5');
  },

  async colorsHaveALegend(page) {
    assert.match(await page.locator('#legends').innerText(), /speed \(m\/s\)\s+0\s+1\s+2/);
  },

  async keysTurnMoveAndFold(page) {
    const eye = () => page.evaluate(() => window.mote.view.camera.from);
    const before = await eye();
    await page.locator('#view').focus();
    await page.keyboard.press('ArrowLeft');
    const turned = await eye();
    assert.ok(Math.abs(Math.hypot(...turned) - Math.hypot(...before)) < 1e-6 && Math.abs(turned[0] - before[0]) > 0.1);
    await page.keyboard.press('+');
    assert.ok(Math.hypot(...(await eye())) < Math.hypot(...turned));
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('0');
    assert.deepEqual(await eye(), before);
    await page.keyboard.press('h');
    assert.equal(await page.getByLabel('controls', {exact: true}).first().getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('h');
    const reached = new Set();
    for (let i = 0; i < 40; ++i) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate(() => document.activeElement.getAttribute('aria-label') || document.activeElement.textContent));
    }
    for (const name of ['show everything', 'picture', 'controls', 'scene', 'play', 'frame', 'speed']) assert.ok(reached.has(name), `${name} is not reached: ${[...reached]}`);
    await page.mouse.move(300, 300);
    await page.mouse.down();
    await page.mouse.move(360, 320);
    await page.mouse.up();
    assert.notDeepEqual(await eye(), before);
    await page.mouse.wheel(0, 200);
    await page.getByLabel("the scene's camera").click();
    assert.deepEqual(await eye(), before);
  },

  async errorsStandAtTheirPlace(page) {
    await tab(page, 'scene');
    const area = page.locator('#editor textarea');
    assert.equal(await area.inputValue(), SCENE);
    await area.evaluate((box) => {
      box.value = box.value.replace('lifetime: 2', 'lifetme: 2');
      box.dispatchEvent(new Event('input'));
    });
    await until(page, () => document.querySelectorAll('#messages .error').length === 1);
    assert.equal(await page.locator('.marks mark').textContent(), 'lifetme');
    assert.match(await page.locator('#messages').innerText(), /7:\d+ error: unknown key `lifetme`[^]*did you mean `lifetime`/);
    assert.equal(await page.locator('.gutter .error').textContent(), '7');
    await page.locator('#messages button').click();
    assert.equal(await area.evaluate((box) => box.value.slice(box.selectionStart, box.selectionEnd)), 'lifetme');
    await look(page, 'editor');
    await page.keyboard.press('Control+Enter'); // refused, and what was shown stays
    await page.waitForTimeout(300);
    assert.ok((await state(page)).frame >= 0);
    await area.fill(SCENE);
    await until(page, () => /nothing is wrong/.test(document.getElementById('messages').textContent));
    await tab(page, 'controls');
  },

  async aPictureIsOffered(page) {
    await page.getByLabel('picture', {exact: true}).click();
    const link = page.locator('#notes a');
    await link.waitFor({timeout: 150000});
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    assert.match(download.suggestedFilename(), /^balls-\d{6}\.png$/);
  },
};

async function twoTabsAndAReload(address) {
  const one = await open(address), two = await open(address);
  await one.getByLabel('step', {exact: true}).click();
  const {frame} = await state(one);
  await until(two, (at) => window.shownFrame >= at, frame);
  await two.locator('#view').focus();
  await two.keyboard.press(' ');
  await until(one, () => document.querySelector('#timeline .play').getAttribute('aria-label') === 'pause');
  await one.keyboard.press(' ');
  await two.close();
  await one.reload();
  await until(one, () => window.shownFrame >= 0);
  const [x, y] = pixelOf(PLACES.red, WIDTH, HEIGHT), [color] = await colorsAt(one, [[x, y]]);
  assert.ok(color[0] > 120, String(color));
  assert.deepEqual([...one.heard, ...two.heard], []);
  await one.close();
}

// Through a forwarded port, as by ssh -L, that breaks down and comes back.
async function lostAndFound(address) {
  const {port, pathname} = new URL(address), links = new Set();
  let broken = false;
  const forward = createServer((from) => {
    if (broken) return from.destroy();
    const to = connect(Number(port), '127.0.0.1');
    for (const [a, b] of [[from, to], [to, from]]) {
      links.add(a);
      a.pipe(b);
      a.on('error', () => b.destroy());
      a.on('close', () => (links.delete(a), b.destroy()));
    }
  });
  await new Promise((done) => forward.listen(0, '127.0.0.1', done));
  const page = await open(`http://localhost:${forward.address().port}${pathname}`);
  assert.deepEqual(page.heard, []);
  broken = true;
  for (const link of links) link.destroy();
  await until(page, () => /connection lost/.test(document.getElementById('link').textContent));
  broken = false;
  await until(page, () => document.getElementById('link').textContent === '');
  const {frame} = await state(page);
  await page.getByLabel('step', {exact: true}).click();
  await until(page, (at) => window.shownFrame > at, frame);
  await page.close();
  forward.close();
}

async function aNarrowWindowHoldsEverything(address) {
  const page = await open(address, {width: 390, height: 780});
  await look(page, 'narrow');
  await page.getByLabel('controls', {exact: true}).first().click();
  await until(page, () => document.getElementById('side').getBoundingClientRect().bottom <= innerHeight); // it slides in
  for (const id of ['head', 'tools', 'side', 'timeline']) {
    const box = await page.locator(`#${id}`).boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 390.5 && box.y + box.height <= 780.5, `${id}: ${JSON.stringify(box)}`);
  }
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  const seen = await page.evaluate((places) => places.map((p) => window.mote.view.project(p)), Object.values(PLACES));
  for (const {x, y} of seen) assert.ok(x > 0 && x < 390 && y > 0 && y < 780, JSON.stringify(seen)); // a wide scene is seen whole
  await look(page, 'narrow-open');
  assert.deepEqual(page.heard, []);
  await page.close();
}

// ---- all of it ----

async function run(name, test) {
  const start = Date.now();
  await test();
  console.log(`ok: ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
}

let failed = 0;
writeFileSync(scene, SCENE);
const shown = await show('--paused');
try {
  const page = await open(shown.address);
  for (const [name, test] of Object.entries(tests)) await run(name, () => test(page));
  assert.deepEqual(page.heard, [], 'the console is silent');
  await page.close();
  for (const test of [twoTabsAndAReload, lostAndFound, aNarrowWindowHoldsEverything]) await run(test.name, () => test(shown.address));
} catch (error) {
  console.error(error);
  failed = 1;
}
await browser.close();
await shown.end();
rmSync(folder, {recursive: true});
process.exit(failed);
