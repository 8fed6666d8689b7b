// SPDX-License-Identifier: Apache-2.0
//! The message loop: reads messages on a thread, answers them in order, and judges documents when none is waiting.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use gen_lsp_types::json_rpc::{Error, Id, RequestObject, ResponseObject};
use gen_lsp_types::{
    CancelParams, CodeActionKind, CodeActionOptions, CodeActionRequest, CodeActionResponse,
    CompletionList, CompletionOptions, CompletionRequest, Contents, Definition, DefinitionRequest,
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentSymbolRequest, DocumentSymbolResponse, ErrorCodes, ExecuteCommandOptions,
    ExecuteCommandParams, ExecuteCommandRequest, Hover, HoverRequest, InitializeParams,
    InitializeRequest, InitializeResult, LogMessageNotification, LogMessageParams, LspErrorCodes,
    MarkupContent, MarkupKind, MessageType, Notification, PublishDiagnosticsNotification,
    Registration, RegistrationParams, RegistrationRequest, Request, ServerCapabilities, ServerInfo,
    ShowDocumentParams, ShowDocumentRequest, ShutdownRequest, TextDocumentPositionParams,
    TextDocumentSync, TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::actions::{OPEN_RULE, actions, page_to_open};
use super::completion::items;
use super::definition::definition;
use super::garden::Garden;
use super::session::{Options, Session};
use super::symbols::symbols;
use super::transport::{self, Incoming};
use garden_gate_products::editor::{Cursor, View, complete, hover};
use garden_gate_text::escape;

/// Maximum number of messages that wait for an answer; then the client waits.
const MOST_PENDING: usize = 256;
/// Number of messages between the reader and the loop.
const CHANNEL: usize = 8;
/// The interval in which an idle server checks the garden directory for changes.
const INTERVAL: Duration = Duration::from_mins(1);
/// The interval in which an idle server lists a live garden again.
const LIVE_INTERVAL: Duration = Duration::from_mins(10);
/// Files whose changes the client reports.
const WATCHED: [&str; 3] = ["**/*.{yaml,yml,json}", "**/.garden-gate.yaml", "**/.git/HEAD"];

/// An event of the loop.
enum Event {
    Incoming(Incoming),
    /// The client has closed its output, or has sent a header that is not valid.
    End(io::Result<()>),
    /// The result of reading the garden.
    Garden(anyhow::Result<Option<Box<Garden>>>),
}

/// The end of a session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum End {
    /// The client has requested a shutdown before it exited.
    Shutdown,
    /// The client has exited without a shutdown.
    Vanished,
}

/// Serves one client until it exits.
///
/// # Errors
/// Fails if a header is not valid, so that no further message can be read.
pub(crate) fn serve(
    options: &Options<'_>,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> anyhow::Result<End> {
    let (sender, events) = sync_channel(CHANNEL);
    let reader = sender.clone();
    // The thread ends with the input, or with the process.
    thread::spawn(move || read_all(input, &reader));
    let mut server = Server {
        options,
        output,
        sender,
        events,
        pending: VecDeque::new(),
        session: None,
        is_shutting_down: false,
        is_outdated: false,
        requests: 0,
        checked: Instant::now(),
    };
    match server.run() {
        Err(Stop::Output) => Ok(server.end()),
        Err(Stop::Input(error)) => Err(error.into()),
        Ok(end) => Ok(end),
    }
}

fn read_all(input: impl Read, events: &SyncSender<Event>) {
    let mut input = BufReader::new(input);
    loop {
        let event = match transport::read(&mut input) {
            Ok(Some(incoming)) => Event::Incoming(incoming),
            Ok(None) => Event::End(Ok(())),
            Err(error) => Event::End(Err(error)),
        };
        let is_end = matches!(event, Event::End(_));
        if events.send(event).is_err() || is_end {
            return;
        }
    }
}

/// The reason to stop the loop.
enum Stop {
    /// The client does not read any more.
    Output,
    /// A message cannot be read.
    Input(io::Error),
}

impl From<io::Error> for Stop {
    fn from(_: io::Error) -> Self {
        Self::Output
    }
}

struct Server<'s, 'o> {
    options: &'s Options<'s>,
    output: &'o mut dyn Write,
    sender: SyncSender<Event>,
    events: Receiver<Event>,
    pending: VecDeque<Incoming>,
    session: Option<Session<'s>>,
    is_shutting_down: bool,
    /// Whether files may have changed since they were read.
    is_outdated: bool,
    /// The number of requests to the client.
    requests: i64,
    /// The time of the last check of the garden.
    checked: Instant,
}

impl<'s> Server<'s, '_> {
    fn run(&mut self) -> Result<End, Stop> {
        loop {
            let ended = self.drain()?;
            if let Some(incoming) = self.pending.pop_front() {
                if let Some(end) = self.handle(incoming)? {
                    return Ok(end);
                }
                self.log()?;
                continue;
            }
            if let Some(end) = ended {
                return end.map(|()| self.end()).map_err(Stop::Input);
            }
            if std::mem::take(&mut self.is_outdated) {
                self.refresh()?;
                continue;
            }
            let next = self.session.as_mut().and_then(Session::judge_next);
            if let Some(judged) = next {
                if let Some(published) = judged {
                    self.notify::<PublishDiagnosticsNotification>(published)?;
                }
                continue;
            }
            match self.events.recv_timeout(INTERVAL) {
                Ok(event) => {
                    if let Some(end) = self.take(event)? {
                        return end.map(|()| self.end()).map_err(Stop::Input);
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.check_garden(),
                Err(RecvTimeoutError::Disconnected) => return Ok(self.end()),
            }
        }
    }

    fn end(&self) -> End {
        if self.is_shutting_down { End::Shutdown } else { End::Vanished }
    }

    /// Takes all events that are available, so that edits are judged together and cancelled requests are not answered.
    fn drain(&mut self) -> Result<Option<io::Result<()>>, Stop> {
        while self.pending.len() < MOST_PENDING {
            match self.events.try_recv() {
                Ok(event) => {
                    if let Some(end) = self.take(event)? {
                        return Ok(Some(end));
                    }
                }
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
        }
        Ok(None)
    }

    /// Takes an event; returns the end of the input.
    fn take(&mut self, event: Event) -> Result<Option<io::Result<()>>, Stop> {
        match event {
            Event::End(end) => {
                // Messages before the end are still handled.
                if !self.pending.is_empty() {
                    while let Some(incoming) = self.pending.pop_front() {
                        if self.handle(incoming)?.is_some() {
                            return Ok(Some(Ok(())));
                        }
                    }
                }
                return Ok(Some(end));
            }
            Event::Garden(read) => {
                if let Some(session) = &mut self.session
                    && session.take_garden(read)
                {
                    self.read_garden();
                }
                self.log()?;
            }
            Event::Incoming(Incoming::Message(message)) => {
                if message.method() != "$/cancelRequest" {
                    self.pending.push_back(Incoming::Message(message));
                    return Ok(None);
                }
                let Ok(params) = params::<CancelParams>(&message) else {
                    return Ok(None);
                };
                let id = Id::from(params.id);
                let is_cancelled = |it: &Incoming| matches!(it, Incoming::Message(it) if it.id() == Some(&id) && !it.method().is_empty());
                if let Some(at) = self.pending.iter().position(is_cancelled) {
                    self.pending.remove(at);
                    let code = i32::from(LspErrorCodes::RequestCancelled);
                    self.refuse(id, ErrorCodes::Custom(code), "the request was cancelled")?;
                }
            }
            Event::Incoming(malformed) => self.pending.push_back(malformed),
        }
        Ok(None)
    }

    /// Handles a message; returns the end of the session.
    fn handle(&mut self, incoming: Incoming) -> Result<Option<End>, Stop> {
        let message = match incoming {
            Incoming::Message(message) => *message,
            Incoming::Malformed(code, why) => {
                self.refuse(Id::Null, code, &why)?;
                return Ok(None);
            }
        };
        let Some(id) = message.id().cloned() else {
            if message.method() == "exit" {
                return Ok(Some(self.end()));
            }
            self.notification(&message)?;
            return Ok(None);
        };
        // A message without a method is the response to a request of the server.
        if !message.method().is_empty() {
            self.request(id, &message)?;
        }
        Ok(None)
    }

    fn request(&mut self, id: Id, message: &RequestObject) -> Result<(), Stop> {
        let method = message.method().to_owned();
        if self.is_shutting_down {
            let why = "the server is shutting down";
            return self.refuse(id, ErrorCodes::InvalidRequest, why);
        }
        if method == "initialize" {
            return self.initialize(id, message);
        }
        if self.session.is_none() {
            let why = "the first request must be `initialize`";
            return self.refuse(id, ErrorCodes::ServerNotInitialized, why);
        }
        match method.as_str() {
            "shutdown" => {
                self.is_shutting_down = true;
                self.answer::<ShutdownRequest>(id, ())
            }
            "textDocument/hover" => self.respond::<HoverRequest>(id, message, |session, it| {
                hovered(session, &it.text_document_position_params)
            }),
            "textDocument/completion" => {
                self.respond::<CompletionRequest>(id, message, |session, it| {
                    completed(session, &it.text_document_position_params)
                })
            }
            "textDocument/definition" => {
                self.respond::<DefinitionRequest>(id, message, |session, it| {
                    let at = &it.text_document_position_params;
                    let found = with_offset(session, at, |session, document, offset, view| {
                        definition(session, document, offset, view?)
                    });
                    found.map(|it| Definition::Location(it).into())
                })
            }
            "textDocument/documentSymbol" => {
                self.respond::<DocumentSymbolRequest>(id, message, |session, it| {
                    let document = session.document(&it.text_document.uri)?;
                    let symbols = if document.is_relevant() {
                        symbols(&document.source, &document.parts())
                    } else {
                        Vec::new()
                    };
                    Some(DocumentSymbolResponse::DocumentSymbolList(symbols))
                })
            }
            "textDocument/codeAction" => {
                self.respond::<CodeActionRequest>(id, message, |session, it| {
                    let document = session.document(&it.text_document.uri)?;
                    let actions = actions(session, document, it.range).into_iter();
                    Some(actions.map(CodeActionResponse::CodeAction).collect())
                })
            }
            "workspace/executeCommand" => self.execute(id, message),
            _ => {
                let why = format!("the method `{}` is not supported", escape::value(&method));
                self.refuse(id, ErrorCodes::MethodNotFound, &why)
            }
        }
    }

    fn initialize(&mut self, id: Id, message: &RequestObject) -> Result<(), Stop> {
        if self.session.is_some() {
            let why = "the server has been initialized already";
            return self.refuse(id, ErrorCodes::InvalidRequest, why);
        }
        let params = match params::<InitializeParams>(message) {
            Ok(params) => params,
            Err(why) => return self.refuse(id, ErrorCodes::InvalidParams, &why),
        };
        let session = Session::new(self.options, &params);
        let result = InitializeResult {
            capabilities: capabilities(&session),
            server_info: Some(ServerInfo {
                name: "garden-gate".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        };
        self.session = Some(session);
        self.answer::<InitializeRequest>(id, result)
    }

    fn execute(&mut self, id: Id, message: &RequestObject) -> Result<(), Stop> {
        let params = match params::<ExecuteCommandParams>(message) {
            Ok(params) => params,
            Err(why) => return self.refuse(id, ErrorCodes::InvalidParams, &why),
        };
        let rule_url = self.session.as_ref().and_then(Session::rule_url);
        let is_known = params.command == OPEN_RULE;
        let url = page_to_open(params.arguments, rule_url).filter(|_| is_known);
        let Some(url) = url else {
            let why = "the command is not supported, or its argument is not the page of a rule";
            return self.refuse(id, ErrorCodes::InvalidParams, why);
        };
        self.call::<ShowDocumentRequest>(ShowDocumentParams {
            uri: Uri(url),
            external: Some(true),
            take_focus: None,
            selection: None,
        })?;
        self.answer::<ExecuteCommandRequest>(id, None)
    }

    fn notification(&mut self, message: &RequestObject) -> Result<(), Stop> {
        let Some(session) = &mut self.session else {
            return Ok(());
        };
        match message.method() {
            "initialized" => {
                self.is_outdated = true;
                if session.watches_files {
                    self.watch()?;
                }
            }
            "textDocument/didOpen" => {
                let Ok(params) = params::<DidOpenTextDocumentParams>(message) else {
                    return Ok(());
                };
                session.open(params.text_document);
                self.is_outdated |= session.needs_refresh();
            }
            "textDocument/didChange" => {
                if let Ok(params) = params::<DidChangeTextDocumentParams>(message) {
                    session.change(params);
                }
            }
            "textDocument/didClose" => {
                let Ok(params) = params::<DidCloseTextDocumentParams>(message) else {
                    return Ok(());
                };
                if let Some(published) = session.close(&params.text_document.uri) {
                    self.notify::<PublishDiagnosticsNotification>(published)?;
                }
            }
            "textDocument/didSave"
            | "workspace/didChangeWatchedFiles"
            | "workspace/didChangeConfiguration" => self.is_outdated = true,
            _ => {}
        }
        Ok(())
    }

    /// Requests notifications about changed files.
    fn watch(&mut self) -> Result<(), Stop> {
        let watchers = WATCHED.map(|it| json!({"globPattern": it}));
        self.call::<RegistrationRequest>(RegistrationParams {
            registrations: vec![Registration {
                id: "files".to_owned(),
                method: "workspace/didChangeWatchedFiles".to_owned(),
                register_options: Some(json!({"watchers": watchers})),
            }],
        })
    }

    /// Reads the configuration and all files that have changed.
    fn refresh(&mut self) -> Result<(), Stop> {
        if let Some(session) = &mut self.session {
            session.refresh();
        }
        self.read_garden();
        self.log()
    }

    /// Reads the garden on a thread, unless it is being read.
    fn read_garden(&mut self) {
        self.checked = Instant::now();
        let Some(read) = self.session.as_mut().and_then(Session::garden_read) else {
            return;
        };
        let sender = self.sender.clone();
        thread::spawn(move || {
            // The session may have ended.
            let _ = sender.send(Event::Garden(read.run()));
        });
    }

    fn check_garden(&mut self) {
        let is_live = self.session.as_ref().is_some_and(Session::is_live);
        let interval = if is_live { LIVE_INTERVAL } else { INTERVAL };
        if self.checked.elapsed() >= interval {
            self.read_garden();
        }
    }

    /// Answers a request with the result of `look`.
    fn respond<R: Request>(
        &mut self,
        id: Id,
        message: &RequestObject,
        look: impl FnOnce(&mut Session<'s>, R::Params) -> R::Result,
    ) -> Result<(), Stop> {
        match (params::<R::Params>(message), &mut self.session) {
            (Ok(params), Some(session)) => {
                let result = look(session, params);
                self.answer::<R>(id, result)
            }
            (Err(why), _) => self.refuse(id, ErrorCodes::InvalidParams, &why),
            (Ok(_), None) => self.refuse(id, ErrorCodes::ServerNotInitialized, "not initialized"),
        }
    }

    fn answer<R: Request>(&mut self, id: Id, result: R::Result) -> Result<(), Stop> {
        let response = ResponseObject::from_success::<R>(id, result);
        Ok(transport::write(self.output, &response)?)
    }

    fn refuse(&mut self, id: Id, code: ErrorCodes, message: &str) -> Result<(), Stop> {
        let error = Error { code, message: message.to_owned(), data: None };
        Ok(transport::write(self.output, &ResponseObject::from_error(id, error))?)
    }

    /// Sends a request, whose response has no effect.
    fn call<R: Request>(&mut self, params: R::Params) -> Result<(), Stop> {
        self.requests += 1;
        let id = Id::Number(self.requests);
        let request = RequestObject::from_request::<R>(id, params);
        Ok(transport::write(self.output, &request)?)
    }

    fn notify<N: Notification>(&mut self, params: N::Params) -> Result<(), Stop> {
        let notification = RequestObject::from_notification::<N>(params);
        Ok(transport::write(self.output, &notification)?)
    }

    /// Writes the messages of the session into the log of the client.
    fn log(&mut self) -> Result<(), Stop> {
        let messages = self.session.as_mut().map(|it| std::mem::take(&mut it.messages));
        for message in messages.into_iter().flatten() {
            self.notify::<LogMessageNotification>(LogMessageParams {
                kind: MessageType::Warning,
                message: escape::lines(&message).into_owned(),
            })?;
        }
        Ok(())
    }
}

fn capabilities(session: &Session<'_>) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(session.encoding.kind()),
        text_document_sync: Some(TextDocumentSync::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Incremental),
            save: Some(true.into()),
            ..TextDocumentSyncOptions::default()
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([" ", ":", "-", "\"", "."].map(str::to_owned).into()),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![OPEN_RULE.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// Returns the parameters of a message.
fn params<T: DeserializeOwned>(message: &RequestObject) -> Result<T, String> {
    let params = message.params().cloned().unwrap_or_default();
    serde_json::from_value(params).map_err(|error| format!("the parameters are not valid: {error}"))
}

/// Calls `look` with a document, an offset in it, and the state that it depends on.
fn with_offset<T>(
    session: &mut Session<'_>,
    at: &TextDocumentPositionParams,
    look: impl FnOnce(
        &Session<'_>,
        &super::document::OpenDocument,
        usize,
        Option<&View<'_>>,
    ) -> Option<T>,
) -> Option<T> {
    let uri = &at.text_document.uri;
    let offset = session.document(uri)?.source.offset(at.position);
    let found = session
        .with_view(uri, offset, |session, document, view| look(session, document, offset, view));
    found.flatten()
}

fn hovered(session: &mut Session<'_>, at: &TextDocumentPositionParams) -> Option<Hover> {
    with_offset(session, at, |_, document, offset, view| {
        let part = document.part_at(offset);
        let text = &document.source.as_str()[part.clone()];
        let (value, range) = hover(text, offset - part.start, view?)?;
        let range = part.start + range.start..part.start + range.end;
        Some(Hover {
            contents: Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }),
            range: Some(document.source.range(range)),
        })
    })
}

fn completed(
    session: &mut Session<'_>,
    at: &TextDocumentPositionParams,
) -> Option<gen_lsp_types::CompletionResponse> {
    with_offset(session, at, |_, document, offset, view| {
        let text = document.source.as_str();
        let cursor = Cursor { text, document: document.part_at(offset), offset };
        let items = items(&document.source, complete(&cursor, view));
        Some(gen_lsp_types::CompletionResponse::CompletionList(CompletionList {
            is_incomplete: false,
            items,
            ..CompletionList::default()
        }))
    })
}
