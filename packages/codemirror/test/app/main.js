// SPDX-License-Identifier: Apache-2.0
import { yaml } from "@codemirror/lang-yaml";
import { basicSetup, EditorView } from "codemirror";
import { connect } from "@garden-gate/core/client";
import { load } from "@garden-gate/core";
import { gardenGate } from "@garden-gate/codemirror";

globalThis.load = load;
globalThis.edit = async ({ text, files, at }) => {
  const client = connect();
  const session = await client.open({ garden: { name: "garden", files, whole: false } });
  const state = { markers: null, reviews: 0 };
  const onMarkers = (markers) => {
    state.markers = markers;
    state.reviews += 1;
  };
  globalThis.state = state;
  globalThis.client = client;
  globalThis.session = session;
  globalThis.view = new EditorView({
    doc: text,
    parent: document.querySelector("#editor"),
    extensions: [basicSetup, yaml(), EditorView.contentAttributes.of({ "aria-label": "Manifest" }), gardenGate({ session, file: "shoot.yaml", at, onMarkers })],
  });
};
