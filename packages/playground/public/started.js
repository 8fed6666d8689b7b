// SPDX-License-Identifier: Apache-2.0
// Explains why nothing else appears. It is a classic script, since browsers load no modules, workers and WebAssembly from a disk.
(() => {
  const say = (text) => {
    const line = document.getElementById("loading");
    if (!line) return;
    line.className = "message";
    line.setAttribute("role", "alert");
    line.textContent = text;
  };
  if (location.protocol === "file:") {
    say("This page was opened from a disk, where browsers run no WebAssembly. Serve its folder, for example with: python3 -m http.server --bind 127.0.0.1");
  } else if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
    say("This browser is too old for the playground. It needs WebAssembly and compression streams, which browsers have had since 2023.");
  } else {
    addEventListener("error", (event) => {
      if (event.target instanceof HTMLScriptElement) say("The script of the playground cannot be loaded. Reload the page, or build the playground again.");
    }, true);
  }
})();
